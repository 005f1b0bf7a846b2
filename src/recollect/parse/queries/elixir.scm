;;; grammar = "tree_sitter_elixir"
;;; extensions = [".ex", ".exs"]
;;; shebangs = ["elixir"]
;;; line_comments = ["#"]
;;; self_words = ["__MODULE__"]
;;; super_words = ["super"]
;;; sigils = [":"]
;;; visibility = "words"
;;; visibility_words = { defp = "private", defmacrop = "private", defguardp = "private", "typep" = "private" }
;;; clauses = true
;;; values = "declared"
;;; module_alias = "last"
;;; builtins = ["nil", "true", "false", "_", "__MODULE__", "String", "Integer"]
;;; test_paths = ["(^|/)test/", "_test\\.exs$"]

(call target: (identifier) @_key (arguments . (alias) @import.module .) (#any-of? @_key "alias" "use" "require")) @import
(call target: (identifier) @_key (arguments . (alias) @import.module (keywords (pair key: (keyword) @_as value: (alias) @import.alias))) (#eq? @_key "alias")) @import
(call target: (identifier) @_key (arguments . (alias) @import.module (keywords)) (#any-of? @_key "use" "require")) @import
(call target: (identifier) @_key (arguments . (dot right: (tuple)) @import.tree) (#eq? @_key "alias")) @import
(call target: (identifier) @import.wildcard (arguments . (alias) @import.module .) (#eq? @import.wildcard "import")) @import
(call target: (identifier) @import.wildcard (arguments . (alias) @import.module (keywords . (pair key: (keyword) @_how))) (#eq? @import.wildcard "import") (#match? @_how "^except")) @import
(call target: (identifier) @import.wildcard (arguments . (alias) @import.module (keywords . (pair value: (atom)))) (#eq? @import.wildcard "import")) @import
(call target: (identifier) @_key (arguments . (alias) @import.module (keywords . (pair key: (keyword) @_how value: (list (keywords (pair key: (keyword) @import.name)))))) (#eq? @_key "import") (#match? @_how "^only")) @import

(call target: (identifier) @_key (arguments . (alias) @name) (do_block) @body (#eq? @_key "defmodule")) @def.module
(call target: (identifier) @_key (arguments . (alias) @name) (do_block) @body (#eq? @_key "defprotocol")) @def.interface
(call target: (identifier) @_key (arguments . (alias) @base.implements (keywords (pair value: (alias) @name))) (do_block) (#eq? @_key "defimpl")) @scope
(call target: (identifier) @_key (arguments . [(call target: (identifier) @name (arguments)? @params) (identifier) @name
    (binary_operator left: [(call target: (identifier) @name (arguments)? @params) (identifier) @name] operator: "when")
    (binary_operator operator: ["+" "-" "*" "/" "++" "--" "<>" "|>" "==" "<" ">" "=~" "~>" "<~" ".."] @name)] (keywords)? @body) (do_block)? @body (#any-of? @_key "def" "defp" "defdelegate" "defn" "defnp")) @def.function
(call target: (identifier) @_key (arguments . [(call target: (identifier) @name (arguments)? @params) (identifier) @name
    (binary_operator left: [(call target: (identifier) @name (arguments)? @params) (identifier) @name] operator: "when")] (keywords)? @body) (do_block)? @body (#any-of? @_key "defmacro" "defmacrop" "defguard" "defguardp")) @def.macro
(call target: (identifier) @_key (arguments (list [(atom) @name (keywords (pair key: (keyword) @name))])) (#any-of? @_key "defstruct" "defexception")) @def.field
(call target: (identifier) @_key (arguments (keywords (pair key: (keyword) @name))) (#any-of? @_key "defstruct" "defexception")) @def.field
(unary_operator operand: (call target: (identifier) @_key (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)])) (#any-of? @_key "type" "typep" "opaque"))) @def.type
(unary_operator operand: (call target: (identifier) @_key (arguments (binary_operator left: (call target: (identifier) @name (arguments)? @params))) (#any-of? @_key "callback" "macrocallback"))) @def.function
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments)) (#not-match? @name "^(doc|moduledoc|typedoc|spec|impl|type|typep|opaque|callback|macrocallback|behaviour|derive|tag|moduletag|describetag|deprecated|since|enforce_keys|compile|dialyzer|optional_callbacks|before_compile|after_compile|on_definition|external_resource|fallback_to_any|shortdoc|requirements|inline)$")) @def.constant
(call target: (identifier) @_key (arguments . (string) @name) (do_block) @body (#any-of? @_key "test" "describe" "property")) @def.test

(unary_operator operand: (call target: (identifier) @_key (arguments (string) @doc)) (#eq? @_key "moduledoc")) @document
(unary_operator operand: (call target: (identifier) @_key (arguments (alias) @base.implements)) (#eq? @_key "behaviour")) @inherits
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments [(string) (sigil)] @doc)) (#any-of? @name "doc" "typedoc")) @ref.decorate
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments [(boolean) (keywords)])) (#any-of? @name "doc" "typedoc")) @ref.decorate
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments)) (#any-of? @name "spec" "impl" "deprecated" "since" "tag")) @ref.decorate
(unary_operator operator: "@" operand: (call target: (identifier))) @skip

(call target: (identifier) @name (arguments)? @args (#not-match? @name "^(self|def|defp|defmacro|defmacrop|defmodule|defprotocol|defimpl|defstruct|defguard|defguardp|defdelegate|defexception|defoverridable|alias|import|use|require|if|unless|case|cond|with|for|fn|quote|unquote|unquote_splicing|try|receive|raise|describe|test|property)$")) @ref.call
(call target: (dot left: (_) @receiver right: (identifier) @name) (arguments)? @args) @ref.call
(call target: (identifier) @_key (arguments . (alias) @name) (#any-of? @_key "raise" "reraise")) @ref.throw
(struct (alias) @ref.type)
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @ref.value))
(unary_operator operator: "@" operand: (identifier) @ref.value)
(binary_operator operator: "|>" right: (identifier) @name) @ref.call
(call target: [(identifier) @_key (dot) @_key] (arguments (alias) @ref.type) (#not-match? @_key "^(alias|import|use|require)$"))
((pair key: (keyword) @_key value: (alias) @ref.type) (#not-match? @_key "^(as|for)"))

(binary_operator left: (identifier) @bind.name operator: "=" right: [(call) (identifier) (map (struct (alias)))] @bind.value) @bind
(binary_operator operator: "=" left: (map (struct (alias) @bind.type)) right: (identifier) @bind.name) @bind
