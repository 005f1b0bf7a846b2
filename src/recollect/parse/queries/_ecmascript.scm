;;; grammar = "tree_sitter_javascript"
;;; line_comments = ["//"]
;;; block_comments = [["/*", "*/"]]
;;; self_words = ["this"]
;;; super_words = ["super"]
;;; visibility = "exports"
;;; visibility_words = { private = "private", protected = "protected", public = "public" }
;;; constructors = ["constructor"]
;;; constants = "upper"
;;; values = "declared"
;;; wrappers = ["Promise", "Readonly", "Partial", "Required", "NonNullable", "Awaited", "Ref", "Observable", "Signal", "DeepPartial", "Omit", "Pick"]
;;; collections = ["Array", "ReadonlyArray", "Set", "ReadonlySet", "Map", "ReadonlyMap", "WeakMap", "WeakSet", "Iterable", "Iterator", "IterableIterator", "AsyncIterable", "AsyncGenerator", "Generator", "Record", "QueryList"]
;;; builtins = ["undefined", "null", "true", "false", "this", "NaN", "Infinity", "arguments", "string", "number", "boolean", "any", "unknown", "never", "void", "object", "Array", "Promise", "Record", "Partial", "Readonly", "ReadonlyArray", "Map", "Set", "Function", "Pick", "Omit", "Exclude", "Extract", "ReturnType", "Parameters", "const"]
;;; test_paths = ["(^|/)(__tests__|__mocks__|tests?|specs?|e2e|cypress)/", "\\.(test|tests|spec|e2e|cy)\\.[cm]?[jt]sx?$"]

(function_declaration name: (identifier) @name parameters: (_) @params body: (_) @body) @def.function
(generator_function_declaration name: (identifier) @name parameters: (_) @params body: (_) @body) @def.function
(variable_declarator name: (identifier) @name value: (arrow_function [parameters: (_) parameter: (_)] @params body: (_) @body)) @def.function
(variable_declarator name: (identifier) @name value: [(function_expression parameters: (_) @params body: (_) @body) (generator_function parameters: (_) @params body: (_) @body)]) @def.function
(variable_declarator name: (identifier) @name value: (call_expression arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))) @def.function
(arguments (_) (function_expression name: (identifier) @name parameters: (_) @params body: (_) @body) @def.function)
(method_definition ["get" "set"] name: (_) @name parameters: (_) @params body: (_) @body) @def.property
(method_definition name: (_) @name parameters: (_) @params body: (_) @body) @def.method
(pair key: [(property_identifier) (string)] @name value: [(arrow_function [parameters: (_) parameter: (_)] @params body: (_) @body) (function_expression parameters: (_) @params body: (_) @body)]) @def.method
(export_statement "default" @name value: [(arrow_function [parameters: (_) parameter: (_)] @params body: (_) @body) (function_expression parameters: (_) @params body: (_) @body)]) @def.function
(export_statement "default" @name value: (class body: (_) @body)) @def.class

(assignment_expression left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @name) right: [(arrow_function [parameters: (_) parameter: (_)] @params body: (_) @body) (function_expression parameters: (_) @params body: (_) @body)] (#any-of? @_exports "exports" "module.exports")) @def.function
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name) right: [(arrow_function [parameters: (_) parameter: (_)] @params body: (_) @body) (function_expression parameters: (_) @params body: (_) @body)]) @def.method
(assignment_expression left: (member_expression object: (member_expression object: (_) @owner property: (property_identifier) @_prototype) property: (property_identifier) @name) right: [(arrow_function [parameters: (_) parameter: (_)] @params body: (_) @body) (function_expression parameters: (_) @params body: (_) @body)] (#eq? @_prototype "prototype")) @def.method
(assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name) right: [(arrow_function [parameters: (_) parameter: (_)] @params body: (_) @body) (function_expression parameters: (_) @params body: (_) @body)]) @def.method
(assignment_expression left: (identifier) @name right: [(arrow_function [parameters: (_) parameter: (_)] @params body: (_) @body) (function_expression parameters: (_) @params body: (_) @body)]) @def.function
(assignment_expression left: (member_expression object: (this) @instance property: (_) @name)) @def.field

(program [(lexical_declaration (variable_declarator name: (identifier) @name) @def.variable) (variable_declaration (variable_declarator name: (identifier) @name) @def.variable)])
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable)))
(program (lexical_declaration (variable_declarator) @wrapped) @wrap)
(program (variable_declaration (variable_declarator) @wrapped) @wrap)
(export_statement declaration: (lexical_declaration (variable_declarator) @wrapped) @wrap)
(export_statement declaration: (_) @wrapped) @wrap
(export_statement (export_clause (export_specifier name: (_) @name) @export))
(export_statement value: (identifier) @name @export)
(assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports) right: (object [(shorthand_property_identifier) @name (pair value: (identifier) @name)]) (#eq? @_module "module") (#eq? @_exports "exports")) @export
(assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports) right: (identifier) @name (#eq? @_module "module") (#eq? @_exports "exports")) @export

(call_expression function: [(identifier) @_word (member_expression object: (identifier) @_word)] arguments: (arguments . [(string) (template_string)] @name . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) (#any-of? @_word "describe" "it" "test" "suite" "context" "specify" "bench")) @def.test

(call_expression function: [(identifier) @name (super) @name (member_expression object: (_) @receiver property: (_) @name)] arguments: (_) @args) @ref.call
(call_expression function: (await_expression [(identifier) @name (member_expression object: (_) @receiver property: (_) @name)]) arguments: (_) @args) @ref.call
(new_expression constructor: [(identifier) @name (member_expression object: (_) @receiver property: (_) @name)] arguments: (_)? @args) @ref.call
(member_expression object: (_) @receiver property: (_) @name) @ref.field
(subscript_expression object: (member_expression) @receiver index: (string) @literal (#match? @receiver "\\.env$")) @ref.field
(decorator [(identifier) @name
            (member_expression object: (_) @receiver property: (_) @name)
            (call_expression function: [(identifier) @name (member_expression object: (_) @receiver property: (_) @name)] arguments: (_) @args)]) @ref.decorate
(throw_statement (new_expression constructor: [(identifier) @name (member_expression object: (_) @receiver property: (_) @name)])) @ref.throw
(assignment_expression right: (identifier) @ref.value)
(variable_declarator value: (identifier) @ref.value)
(return_statement (identifier) @ref.value)
(array (identifier) @ref.value)
(pair value: (identifier) @ref.value)
(shorthand_property_identifier) @ref.value
(spread_element (identifier) @ref.value)
(arrow_function body: (identifier) @ref.value)

(variable_declarator name: (identifier) @bind.name value: [(call_expression) (new_expression) (identifier) (member_expression) (await_expression) (this)] @bind.value) @bind
(assignment_expression left: (member_expression object: (this) property: (_)) @bind.name right: [(call_expression) (new_expression) (identifier) (member_expression) (await_expression)] @bind.value) @bind
(for_in_statement left: (identifier) @bind.name right: [(identifier) (member_expression) (call_expression)] @bind.each) @bind

(import_statement (import_clause (identifier) @import.default) source: (_) @import.module) @import
(import_statement (import_clause (namespace_import (identifier) @import.alias)) source: (_) @import.module) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name alias: (identifier)? @import.alias))) source: (_) @import.module) @import
(import_statement . source: (_) @import.module) @import
(export_statement (export_clause (export_specifier name: (_) @import.name alias: (_)? @import.alias)) source: (_) @import.module) @import
(export_statement "*" @import.wildcard source: (_) @import.module) @import
(export_statement (namespace_export (_) @import.alias) source: (_) @import.module) @import
(variable_declarator name: (identifier) @import.alias value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)) (#eq? @_require "require")) @import
(variable_declarator name: (identifier) @import.alias value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)) property: (_) @import.name) (#eq? @_require "require")) @import
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import.name) value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)) (#eq? @_require "require")) @import
(variable_declarator name: (object_pattern (pair_pattern key: (_) @import.name value: (identifier) @import.alias)) value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)) (#eq? @_require "require")) @import
(expression_statement (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)) (#eq? @_require "require")) @import
(call_expression function: (import) arguments: (arguments . (string) @import.module)) @import
