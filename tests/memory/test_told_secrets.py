"""Secrets that are told in a sentence are refused like those that stand in code."""

import pytest

from recollect.errors import SecretError
from recollect.memory.secrets import blotted

TOLD = [
    "The password for the staging database is hX9kq2Lm8vRt4Zp.",
    "password: Tr0ub4dor&3",
    "the api key is now 8f3kQ0zLp2xW",
    "Our deploy token was: 'aB3dE5fG7hI9'",
    "Mein Kennwort ist korrekt7pferd9batterie",
    "My pin code for the vault is 84K13Q99",
]
HARMLESS = [
    "The password is stored in the vault",
    "The password is hashed with bcrypt12",
    "the token is refreshed every 3600s",
    "API key: see docs/keys.md",
    "the secret is base64-encoded",
    "The token is JWT, signed with HS256",
    "the password is rotated on 2024-05-01",
    "The password is generate_password(16)",
    "the token is cached in redis6-cluster",
    "the api key is read from OPENAI_API_KEY_2",
    "The pin is numpy==1.26.4",
]


@pytest.mark.parametrize("text", TOLD)
def test_a_secret_that_is_told_is_refused(file_memory, text):
    with pytest.raises(SecretError):
        file_memory.remember(text)


@pytest.mark.parametrize("text", TOLD)
def test_only_the_secret_itself_is_blotted_out(text):
    plain, (finding,) = blotted(text)
    secret = text.encode()[finding.start : finding.end].decode()
    assert plain == text.replace(secret, "*" * len(secret))
    assert len(secret) >= 8


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_speaks_of_a_secret_is_kept(file_memory, text):
    assert file_memory.remember(text).text == text
