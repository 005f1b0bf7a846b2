;;; grammar = "tree_sitter_haskell"
;;; extensions = [".hs", ".hs-boot"]
;;; shebangs = ["runhaskell", "runghc", "stack"]
;;; line_comments = ["-- |", "-- ^", "--"]
;;; block_comments = [["{-", "-}"]]
;;; self_words = []
;;; super_words = []
;;; visibility = "exports"
;;; clauses = true
;;; values = "declared"
;;; wrappers = ["IO", "Maybe"]
;;; builtins = ["Int", "Integer", "String", "Bool", "Char", "Double", "Float", "IO", "Maybe", "Either", "Word", "True", "False", "Nothing", "Just", "Left", "Right", "otherwise", "forall", "Type", "Monad", "Functor", "Applicative", "Eq", "Ord", "Show", "Read"]
;;; test_paths = ["(^|/)tests?/", "(Spec|Test|Tests)\\.hs$"]
;;; test_names = ["^(prop|test|case|unit)_"]

(header module: (module) @package)
(export variable: (variable) @name) @export
(export type: (name) @name) @export
(export operator: (prefix_id (operator) @name)) @export

((import "import" @import.wildcard module: (module) @import.module !names !alias) @import (#not-match? @import "qualified"))
(import "qualified" module: (module) @import.module !alias) @import
(import module: (module) @import.module alias: (module) @import.alias) @import
((import module: (module) @import.module names: (import_list name: (import_name variable: (variable) @import.name))) @import (#not-match? @import "hiding"))
((import module: (module) @import.module names: (import_list name: (import_name type: (name) @import.name))) @import (#not-match? @import "hiding"))
(import module: (module) @import.module "hiding" @import.wildcard !alias) @import

; a signature with what the last of up to five arrows gives, after a context or without one
(signature name: [(variable) @name (prefix_id (operator) @name)] type: (context type: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns
  (function result: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns
  (function result: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns
  (function result: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns
  (function result: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns])])])])])) @def.function
(signature name: [(variable) @name (prefix_id (operator) @name)] type: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns
  (function result: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns
  (function result: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns
  (function result: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns
  (function result: [(name) @returns (apply) @returns (list) @returns (qualified) @returns (parens) @returns])])])])]) @def.function
(signature name: [(variable) @name (prefix_id (operator) @name)]) @def.function
(function name: [(variable) @name (prefix_id (operator) @name)] match: (match) @body) @def.function
(function (infix operator: (operator) @name) match: (match) @body) @def.function
(function (infix operator: (infix_id (variable) @name)) match: (match) @body) @def.function
(declarations (bind name: (variable) @name match: (match) @body) @def.function)
(instance_declarations (bind name: (variable) @name match: (match) @body) @def.function)
(class_declarations (bind name: (variable) @name match: (match) @body) @def.function)
(data_type name: (name) @name constructors: (_)? @body) @def.struct
(newtype name: (name) @name constructor: (_)? @body) @def.struct
(deriving classes: (_) @base.implements) @inherits
(deriving_instance name: (name) @base.implements patterns: (type_patterns . [(name) @name (parens type: [(name) @name (_ constructor: (name) @name) (_ constructor: (_ constructor: (name) @name))])])) @scope
(type_synonym name: (name) @name) @def.type
(type_family name: (name) @name) @def.type
(data_family name: (name) @name) @def.type
(class name: (name) @name declarations: (_)? @body) @def.trait
(class context: (context context: (_ constructor: (name) @base.extends))) @inherits
(class context: (context context: (tuple (_ constructor: (name) @base.extends)))) @inherits
(instance name: (name) @base.implements patterns: (type_patterns . [(name) @name (list) @name (parens type: [(name) @name (_ constructor: (name) @name) (_ constructor: (_ constructor: (name) @name))])])) @scope
(data_constructor constructor: [(record name: (constructor) @name) (prefix name: (constructor) @name)]) @def.enum_member
(newtype_constructor name: (constructor) @name) @def.enum_member
(gadt_constructor name: (constructor) @name) @def.enum_member
(field name: (field_name (variable) @name) type: (_) @returns) @def.field
(pattern_synonym (equation synonym: [(apply function: (constructor) @name) (apply function: (_ function: (constructor) @name))])) @def.function

(apply function: [(variable) @name (qualified module: (module) @receiver id: (variable) @name) (constructor) @name]) @ref.call
(infix left_operand: [(variable) @name (qualified module: (module) @receiver id: (variable) @name)] operator: (operator) @_applies (#any-of? @_applies "$" "$!" "<$>" "." "<$" "<*>" ">>=" ">>" ">=>" "=<<" "<=<")) @ref.call
(infix operator: (infix_id [(variable) @name (qualified module: (module) @receiver id: (variable) @name)])) @ref.call
(exp [(variable) @name (qualified module: (module) @receiver id: (variable) @name)]) @ref.call
(match expression: [(variable) @name (qualified module: (module) @receiver id: (variable) @name)]) @ref.call
(infix operator: (operator) @ref.value (#not-match? @ref.value "^([$.<>=+*/&|^-]|<[$*]>|[$][!]|<>|&&|\\|\\||==|/=|<=|>=|>>=?|=<<|[+][+]|!!|<[$]|[*]>|<[*]|<[|]>)$"))
(apply function: (_) argument: [(variable) (constructor)] @ref.value)
(infix right_operand: [(variable) (constructor)] @ref.value)
((list (variable) @ref.value) (#not-match? @ref.value "^[a-z]$"))
(qualified module: (module) @receiver id: (variable) @name) @ref.field
[(name) (qualified id: (name))] @ref.type

; names that are bound in patterns, of up to four arguments
(patterns [(variable) (parens (_ (variable)))] @bind.name) @bind
(patterns (parens pattern: (apply argument: (variable) @bind.name))) @bind
(patterns (parens pattern: (apply function: (_ argument: (variable) @bind.name)))) @bind
(patterns (parens pattern: (apply function: (_ function: (_ argument: (variable) @bind.name))))) @bind
(patterns (parens pattern: (apply function: (_ function: (_ function: (_ argument: (variable) @bind.name)))))) @bind
(alternative pattern: [(variable) @bind.name (apply argument: (variable) @bind.name) (apply function: [(apply argument: (variable) @bind.name) (apply function: (_ argument: (variable) @bind.name))])]) @bind
(pattern_guard pattern: [(variable) @bind.name (apply argument: (variable) @bind.name)]) @bind
(field_pattern pattern: (variable) @bind.name) @bind
(function (infix left_operand: [(variable) @bind.name (_ argument: (variable) @bind.name)])) @bind
(function (infix right_operand: [(variable) @bind.name (_ argument: (variable) @bind.name)])) @bind
(equation synonym: (apply argument: (variable) @bind.name)) @bind
(equation synonym: (apply function: (_ argument: (variable) @bind.name))) @bind
(bind pattern: [(variable) @bind.name (tuple (variable) @bind.name) (apply argument: (variable) @bind.name)]) @bind
(local_binds (bind name: (variable) @bind.name)) @bind
(lambda patterns: (patterns (variable) @bind.name)) @bind
