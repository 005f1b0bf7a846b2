"""What is taken for a secret, what is not, and that blotting out moves nothing."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.source.secrets import find_secrets, redact, redact_text


def made_up(seed, length, alphabet=string.ascii_letters + string.digits):
    """Make a random token; written out, it would be taken for a leaked one."""
    return "".join(random.Random(seed).choices(alphabet, k=length))


UPPER = string.ascii_uppercase + "234567"
KEY_LINES = "\n".join(made_up(line, 64) for line in range(12))
SECRETS = {
    "aws-access-key": "AKIA" + made_up(1, 16, UPPER),
    "google-api-key": "AIza" + made_up(2, 35),
    "github-token": "ghp_" + made_up(3, 36),
    "gitlab-token": "glpat-" + made_up(4, 20),
    "slack-token": "xoxb-" + made_up(5, 12, string.digits) + "-" + made_up(6, 24),
    "stripe-key": "sk_live_" + made_up(7, 24),
    "model-provider-key": "sk-ant-" + made_up(8, 40),
    "npm-token": "npm_" + made_up(9, 36),
    "pypi-token": "pypi-AgE" + made_up(10, 80),
    "json-web-token": "eyJ" + made_up(11, 20) + ".eyJ" + made_up(12, 40) + "." + made_up(13, 43),
    "sendgrid-key": "SG." + made_up(14, 22) + "." + made_up(15, 43),
    "vault-token": "hvs." + made_up(16, 30),
}


@pytest.mark.parametrize("rule", SECRETS)
def test_a_token_of_a_known_form_is_found_in_code(rule):
    text = f'client = connect("{SECRETS[rule]}", 3)\n'.encode()
    content, findings = redact(text, "a.py")
    assert [finding.rule for finding in findings] == [rule]
    assert SECRETS[rule].encode() not in content
    assert content.startswith(b'client = connect("') and content.endswith(b'", 3)\n')


def test_a_private_key_is_blotted_out_line_by_line():
    text = (
        f"KEY = '''-----BEGIN RSA PRIVATE KEY-----\n{KEY_LINES}\n-----END RSA PRIVATE KEY-----'''\n".encode()
    )
    content, findings = redact(text, "a.py")
    assert [finding.rule for finding in findings] == ["private-key"]
    assert content.count(b"\n") == text.count(b"\n")
    assert KEY_LINES.split("\n")[5].encode() not in content
    assert b"-----END RSA PRIVATE KEY-----" in content


@pytest.mark.parametrize(
    "line",
    [
        'password = "{}"',
        "DB_PASSWORD: '{}'",
        '"api_key": "{}"',
        'const clientSecret = "{}";',
        'self.auth_token := "{}"',
        'apiKey: string = "{}"',
        'secret_key => "{}"',
    ],
)
def test_a_random_value_under_a_telling_name_is_found(line):
    value = made_up(21, 28)
    content, findings = redact(line.format(value).encode(), "a.ts")
    assert len(findings) == 1
    assert content.decode() == line.format("*" * 28)


@pytest.mark.parametrize(
    ("path", "line"), [("a.yaml", "api_key: {}\n"), ("a.ini", "password={}\n"), ("a.py", "API_TOKEN={}\n")]
)
def test_a_plain_setting_is_found_where_settings_are_plain(path, line):
    value = made_up(22, 24)
    assert value.encode() not in redact(line.format(value).encode(), path).content


def test_a_password_in_an_address_is_found():
    content, findings = redact(b"url = 'postgresql://app:v3ryS3cr-et@db.internal:5432/x'", "a.py")
    assert content == b"url = 'postgresql://app:***********@db.internal:5432/x'"
    assert [finding.rule for finding in findings] == ["connection-string"]


@pytest.mark.parametrize(
    "line",
    [
        'password = "changeme"',
        'password = "${DB_PASSWORD}"',
        'api_key = "<your-api-key-here>"',
        'api_key: "xxxxxxxxxxxxxxxxxxxxxxxx"',
        'token = os.environ["TOKEN"]',
        'token = "AKIAIOSFODNN7EXAMPLE"',
        'SECRET_KEY = "test-secret-key-for-tests-1"',
        'password = get_password(user, "login.page.title2")',
        'token = "{{ secrets.GITHUB_TOKEN }}"',
        "postgres://postgres:postgres@localhost/db",
        "https://user:password@example.com/",
        "https://example.com:8080/a@b",
        "http://user:pass%20pass@host.com/",
        "dynamodb://aws_access_key_id:aws_secret_access_key@region",
        'access_key: "A1B2C3D4E5F6G7H8I9J0"',
        'commit = "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3"',
        'id = "f47ac10b-58cc-4372-a567-0e02b2c3d479"',
        'client_secret = "f47ac10b-58cc-4372-a567-0e02b2c3d479"',
        'token_hash = "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3"',
        'sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-1234567890abcdef1234567890abcdef",
        'password_field = "user.password.field1"',
        'token_url = "https://example.org/oauth2/token"',
        "def tokenize(self, secret: str, password: bytes) -> Token:",
        "-----BEGIN PUBLIC KEY-----",
        'secret = "projects/app-1/secrets/web-session-7"',
        'secret = "/run/secrets/a8f3e1c09b/key"',
        'token_arn = "arn:aws:iam::210987654321:role/Worker7"',
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "task-scheduler-background-worker-queue-manager-name",
    ],
)
@pytest.mark.parametrize("path", ["a.py", "a.yaml"])
def test_what_is_no_secret_is_left(line, path):
    assert find_secrets(line.encode(), path) == ()


def test_code_that_checks_for_a_private_key_is_left():
    code = (
        b'if text.startswith("-----BEGIN PRIVATE KEY-----"):\n    return load(text)\n'
        + b"x = compute(1)\n" * 50
    )
    assert find_secrets(code, "a.py") == ()


def test_values_of_environment_files_are_never_kept_and_keys_are():
    text = b'# the database\nexport DB_HOST=db.local\nEMPTY=\n#OLD=one two\r\nKEY="a\nb"\n'
    content = redact(text, "deploy/.env.production").content
    assert content == b"# the database\nexport DB_HOST=********\nEMPTY=\n#OLD=*******\r\nKEY=**\n**\n"


def test_an_example_of_an_environment_file_is_kept():
    assert redact(b"DB_HOST=localhost\n", ".env.example").findings == ()


def test_strings_of_credential_files_are_never_kept():
    content = redact(b'{"type": "service", "n": 1, "list": ["a", "b"]}', "credentials.json").content
    assert content == b'{"type": "*******", "n": 1, "list": ["*", "*"]}'


def test_words_behind_a_login_are_never_kept():
    assert (
        redact(b"machine h login me password s3cret\n", ".netrc").content
        == b"machine h login ** password ******\n"
    )


def test_the_line_and_the_place_of_a_finding_are_told():
    token = SECRETS["github-token"]
    (finding,) = find_secrets(f"é\n\nx = '{token}'".encode(), "a.py")
    assert (finding.line, finding.end - finding.start, finding.start) == (
        3,
        len(token),
        len("é\n\nx = '".encode()),
    )


def test_a_threshold_lets_less_sure_findings_pass():
    text = f'api_key = "{made_up(23, 28)}"'.encode()
    assert redact(text, "a.py", confidence=0.9).content == text


def test_text_is_redacted_like_bytes():
    text, findings = redact_text(f"we use é {SECRETS['npm-token']}")
    assert text == "we use é " + "*" * 40
    assert len(findings) == 1


PIECES = st.one_of(
    st.sampled_from(
        [
            *SECRETS.values(),
            "password=",
            "\n",
            "\r\n",
            '"',
            "'",
            " = ",
            "token: ",
            "-----BEGIN PRIVATE KEY-----",
            KEY_LINES,
        ]
    ),
    st.text(max_size=12),
)


@given(
    pieces=st.lists(PIECES, max_size=12),
    path=st.sampled_from(["", "a.py", ".env", "credentials.json", ".netrc", "a.yaml"]),
)
def test_no_byte_moves_and_nothing_but_secrets_changes(pieces, path):
    text = "".join(pieces).encode()
    content, findings = redact(text, path)
    assert len(content) == len(text)
    assert [(place, byte) for place, byte in enumerate(text) if byte in b"\r\n"] == [
        (place, byte) for place, byte in enumerate(content) if byte in b"\r\n"
    ]
    covered = {place for finding in findings for place in range(finding.start, finding.end)}
    assert all(text[place] == content[place] for place in range(len(text)) if place not in covered)
    assert all(content[place] in b"*\r\n" for place in covered)


@given(before=st.binary(max_size=9), after=st.binary(max_size=9))
def test_a_token_is_found_wherever_it_stands(before, after):
    token = SECRETS["github-token"].encode()
    assert token not in redact(before + b" " + token + b" " + after).content


SECRET = b"""apiVersion: v1
kind: ConfigMap
data:
  color: purple
---
apiVersion: v1
kind: Secret
metadata:
  name: shop
data:
  user: YWRtaW4=
  "key.pem": |
    Zmlyc3Q=
    c2Vjb25k
  # a comment
  empty:
  token: {{ .Values.token | b64enc }}
stringData: {pin: "1234", word: "hunter"}
type: Opaque
"""


def test_the_values_of_a_kubernetes_secret_are_blotted_out_whatever_they_look_like():
    text = redact(SECRET, "deploy/shop.yaml").content.decode()
    for hidden in ("YWRtaW4=", "Zmlyc3Q=", "c2Vjb25k", "1234", "hunter"):
        assert hidden not in text
    for kept in (
        "purple",
        "user:",
        '"key.pem": |',
        "# a comment",
        "empty:",
        ".Values.token",
        "name: shop",
        "Opaque",
    ):
        assert kept in text
    assert len(text) == len(SECRET)


def test_secrets_in_a_list_are_found_at_any_depth():
    text = b"kind: List\nitems:\n- kind: Secret\n  data:\n    a: Zm9v\n  type: Opaque\n- kind: Other\n"
    assert redact(text, "list.yml").content == text.replace(b"Zm9v", b"****")


@pytest.mark.parametrize(
    "text",
    [
        b"kind: SealedSecret\ndata:\n  a: Zm9v\n",
        b"kind: Secret\nmetadata:\n  a: Zm9v\n",
        b"kind: Secret\ndata:",
    ],
)
def test_other_objects_and_other_blocks_are_left_alone(text):
    assert redact(text, "a.yaml").content == text
