;;; grammar = "tree_sitter_go"
;;; extensions = [".go"]
;;; line_comments = ["//"]
;;; block_comments = [["/*", "*/"]]
;;; self_words = []
;;; super_words = []
;;; visibility = "capital"
;;; values = "any"
;;; module_alias = "last"
;;; builtins = ["string", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "float32", "float64", "complex64", "complex128", "bool", "byte", "rune", "error", "any", "comparable", "true", "false", "nil", "iota"]
;;; type_noise = ["chan", "<-"]
;;; test_paths = ["_test\\.go$", "(^|/)testdata/"]
;;; test_names = ["^(Test|Benchmark|Example|Fuzz)([A-Z_]|$)"]

(package_clause (package_identifier) @package)

(function_declaration name: (identifier) @name parameters: (parameter_list) @params result: (_)? @returns body: (block)? @body) @def.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (field_identifier) @name parameters: (parameter_list) @params result: (_)? @returns body: (block)? @body) @def.method
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @def.struct)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type) @body) @def.interface)
(type_declaration (type_spec name: (type_identifier) @name type: [(type_identifier) (qualified_type) (pointer_type) (slice_type) (array_type) (map_type) (channel_type) (function_type) (generic_type)]) @def.type)
(type_declaration (type_alias name: (type_identifier) @name) @def.type)
(type_declaration . (_) @wrapped .) @wrap
(method_elem name: (field_identifier) @name parameters: (parameter_list) @params result: (_)? @returns) @def.method
(field_declaration name: (field_identifier) @name type: (_) @returns) @def.field
(struct_type (field_declaration_list (field_declaration !name type: (_) @base.extends))) @inherits
(interface_type (type_elem (_) @base.extends)) @inherits
(source_file (const_declaration (const_spec name: (identifier) @name value: (_)? @value) @def.constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @def.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @def.variable)))
(source_file (const_declaration . (_) @wrapped .) @wrap)
(source_file (var_declaration . (_) @wrapped .) @wrap)

(call_expression function: [(identifier) @name
                            (selector_expression field: (field_identifier) @member)
                            (parenthesized_expression (identifier) @name)] arguments: (_) @args) @ref.call
(call_expression function: (type_instantiation_expression type: (type_identifier) @name) arguments: (_) @args) @ref.call
(selector_expression operand: (_) @receiver field: (field_identifier) @name) @ref.field
(type_identifier) @ref.type
(qualified_type) @ref.type
(composite_literal type: [(type_identifier) @name (qualified_type package: (_) @receiver name: (_) @name)]) @ref.call
(assignment_statement right: (expression_list (identifier) @ref.value))
(short_var_declaration right: (expression_list (identifier) @ref.value))
(return_statement (expression_list (identifier) @ref.value))
(literal_element (identifier) @ref.value)
(const_spec value: (expression_list (identifier) @ref.value))
(binary_expression (identifier) @ref.value)

(parameter_declaration name: (identifier) @bind.name type: (_) @bind.type) @bind
(variadic_parameter_declaration name: (identifier) @bind.name type: (_) @bind.many) @bind
(field_declaration name: (field_identifier) @bind.name type: (_) @bind.type) @bind
(field_declaration !name type: (type_identifier) @bind.name @bind.type) @bind
(field_declaration !name type: (qualified_type name: (type_identifier) @bind.name) @bind.type) @bind
(var_spec name: (identifier) @bind.name type: (_) @bind.type) @bind
(var_spec name: (identifier) @bind.name value: (expression_list . [(call_expression) (composite_literal) (identifier) (selector_expression) (unary_expression)] @bind.value)) @bind
(short_var_declaration left: (expression_list . (identifier) @bind.name) right: (expression_list . [(call_expression) (composite_literal) (identifier) (selector_expression) (unary_expression) (type_assertion_expression)] @bind.value)) @bind
(range_clause left: (expression_list (identifier) @bind.name .) right: [(identifier) (selector_expression) (call_expression)] @bind.each) @bind

(import_spec !name path: (_) @import.module) @import
(import_spec name: (package_identifier) @import.alias path: (_) @import.module) @import
(import_spec name: (dot) @import.wildcard path: (_) @import.module) @import
(import_spec name: (blank_identifier) @import.silent path: (_) @import.module) @import
