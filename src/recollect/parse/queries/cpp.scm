;;; include = "_c"
;;; grammar = "tree_sitter_cpp"
;;; extensions = [".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"]
;;; rewrites = [
;;;   # Macros for specifiers, conditions on headers and attributes, macros as template parameters, `if CONSTEXPR (`.
;;;   ['''(?<!define )(?<!defined )(?<!ifdef )(?<!ifndef )(?<!undef )\b[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:CONSTEXPR|CONSTEVAL|CONSTINIT|INLINE|NOINLINE|FORCEINLINE|API|EXPORT|NORETURN|NODISCARD|DEPRECATED)[0-9]*(?=[ \t]+[A-Za-z_~:])''', ''],
;;;   ['''(?m)^[ \t]+[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:CONSTEXPR|CONSTEVAL|CONSTINIT|INLINE|NOINLINE|FORCEINLINE|API|EXPORT|NORETURN|NODISCARD|DEPRECATED)[0-9]*[ \t]*$''', ''],
;;;   ['''(?:(?<=has_include)|(?<=HAS_INCLUDE)|(?<=has_cpp_attribute)|(?<=HAS_CPP_ATTRIBUTE))\([^()\n]*\)''', ''],
;;;   ['''(?<=,)(\s*)[A-Z][A-Z0-9]*_[A-Z0-9_]*\((?:[^();{}]++|\((?:[^();{}]++|\([^();{}]*+\))*+\))*+\)(?=>+\s)''', '\1int'],
;;;   ['''(?<=\bif )[A-Z][A-Z0-9]*_[A-Z0-9_]*(?= ?\()''', ''],
;;; ]
;;; visibility = "sections"
;;; visibility_words = { static = "private", public = "public", protected = "protected", private = "private" }
;;; member_visibility = { "" = "private", class = "private", struct = "public", union = "public", enum = "public" }
;;; constructors = ["*"]
;;; wrappers = ["unique_ptr", "shared_ptr", "weak_ptr", "optional", "reference_wrapper", "atomic", "Ptr", "future"]
;;; collections = ["vector", "list", "deque", "set", "unordered_set", "map", "unordered_map", "array", "span", "initializer_list"]
;;; builtins = ["NULL", "nullptr", "true", "false", "size_t", "ssize_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t", "uintptr_t", "intptr_t", "ptrdiff_t", "bool", "FILE", "va_list", "wchar_t", "time_t", "off_t", "pid_t", "mode_t", "uid_t", "gid_t", "socklen_t", "errno", "stdin", "stdout", "stderr", "EOF", "auto", "int", "char", "void", "unsigned", "long", "short", "float", "double", "class", "typename", "string", "string_view", "std"]
;;; test_paths = ["(^|/)tests?/", "(^|/)unittests?/", "(^|/)test[-_][^/]*\\.(c|h|cc|cpp|cxx)$", "[-_](test|tests|unittest)\\.(c|cc|cpp|cxx|h|hpp)$"]
;;; test_names = ["^test_"]

(namespace_definition name: (_) @package)
(namespace_definition !name body: (_)) @scope
(access_specifier) @section
(using_declaration "namespace" @import.wildcard [(identifier) (qualified_identifier)] @import.module) @import
(translation_unit (using_declaration (qualified_identifier scope: (_) @import.module name: (identifier) @import.name)) @import (#not-match? @import "^using\\s+namespace"))
(declaration_list (using_declaration (qualified_identifier scope: (_) @import.module name: (identifier) @import.name)) @import (#not-match? @import "^using\\s+namespace"))
(namespace_alias_definition name: (_) @import.alias [(namespace_identifier) (nested_namespace_specifier)] @import.module .) @import
(template_declaration [(function_definition) (class_specifier) (struct_specifier) (declaration) (field_declaration) (alias_declaration) (concept_definition)] @wrapped) @wrap

; tests: GoogleTest, then Catch2 and doctest, whose body stands beside the call
(function_definition !type declarator: (function_declarator declarator: (identifier) @_macro parameters: (parameter_list . (parameter_declaration type: (type_identifier) @owner) (parameter_declaration type: (type_identifier) @name) .)) body: (_) @body
  (#match? @_macro "^(TEST|TYPED_TEST)")) @def.test
((expression_statement (call_expression function: (identifier) @_macro arguments: (argument_list . (identifier) @owner . (string_literal (string_content) @name)))) @def.test . (compound_statement) @body
  (#eq? @_macro "TEST_CASE_METHOD"))
((expression_statement (call_expression function: (identifier) @_macro arguments: (argument_list . (string_literal (string_content) @name)))) @def.test . (compound_statement) @body
  (#any-of? @_macro "TEST_CASE" "TEMPLATE_TEST_CASE" "SCENARIO" "SECTION" "SUBCASE" "GIVEN" "WHEN" "THEN"))

; functions that are defined outside of their class, then all others
(function_definition type: (placeholder_type_specifier) declarator: (function_declarator declarator: [(identifier) @name (field_identifier) @name (operator_name) @name (qualified_identifier scope: (_) @owner name: [(identifier) @name (operator_name) @name])]
    parameters: (_) @params (trailing_return_type (_) @returns)) body: (_) @body) @def.function
(function_definition type: (_)? @returns declarator: [
    (_ declarator: [
      (qualified_identifier scope: (_) @owner name: [(identifier) @name (destructor_name) @name (operator_name) @name])
      (qualified_identifier scope: (_) @owner name: (_ scope: (_) @owner name: [(identifier) @name (destructor_name) @name (operator_name) @name]))
      (qualified_identifier scope: (_) @owner name: (_ scope: (_) @owner name: (_ scope: (_) @owner name: [(identifier) @name (destructor_name) @name (operator_name) @name])))]
    parameters: (parameter_list) @params)
    (_ (_ declarator: [
      (qualified_identifier scope: (_) @owner name: [(identifier) @name (destructor_name) @name (operator_name) @name])
      (qualified_identifier scope: (_) @owner name: (_ scope: (_) @owner name: [(identifier) @name (destructor_name) @name (operator_name) @name]))
      (qualified_identifier scope: (_) @owner name: (_ scope: (_) @owner name: (_ scope: (_) @owner name: [(identifier) @name (destructor_name) @name (operator_name) @name])))]
    parameters: (parameter_list) @params))] body: (_) @body) @def.function
(function_definition declarator: (qualified_identifier scope: (_) @owner name: (operator_cast "operator" @name)) body: (_) @body) @def.function
(function_definition type: (_) @returns declarator: [
    (_ declarator: [(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name] parameters: (parameter_list) @params)
    (_ (_ declarator: [(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name] parameters: (parameter_list) @params))] body: (_)? @body) @def.function
(function_definition !type declarator: (_ declarator: [(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name] parameters: (parameter_list) @params) body: (_)? @body (#not-match? @name "^(TEST|TYPED_TEST)")) @def.function
[(function_definition declarator: (operator_cast "operator" @name) body: (_) @body) @def.function
 (declaration declarator: (operator_cast "operator" @name)) @def.function]
(field_declaration type: (placeholder_type_specifier) declarator: (function_declarator declarator: [(field_identifier) @name (operator_name) @name] parameters: (_) @params (trailing_return_type (_) @returns))) @def.method
(field_declaration type: (_) @returns declarator: [
    (_ declarator: [(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name] parameters: (parameter_list) @params)
    (_ (_ declarator: [(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name] parameters: (parameter_list) @params))]) @def.method
(field_declaration_list [(declaration !type declarator: (_ declarator: [(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name] parameters: (parameter_list) @params)) @def.method
  (template_declaration (declaration !type declarator: (_ declarator: [(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name] parameters: (parameter_list) @params)) @def.method)])
(declaration type: (_) @returns declarator: [
    (_ declarator: [(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name] parameters: (parameter_list) @params)
    (_ (_ declarator: [(identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name] parameters: (parameter_list) @params))]) @def.function @toplevel

(field_declaration type: (_) @returns declarator: (reference_declarator (field_identifier) @name)) @def.field
; types and values
(class_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name) (qualified_identifier scope: (_) @owner name: (type_identifier) @name)] (base_class_clause)? @base.extends body: (field_declaration_list) @body) @def.class
(struct_specifier name: [(type_identifier) @name (template_type name: (type_identifier) @name) (qualified_identifier scope: (_) @owner name: (type_identifier) @name)] (base_class_clause)? @base.extends body: (field_declaration_list) @body) @def.struct
(alias_declaration name: (type_identifier) @name type: (type_descriptor type: [(type_identifier) @base.extends (template_type name: (type_identifier) @base.extends)])) @def.type
(alias_declaration name: (type_identifier) @name) @def.type
(concept_definition name: (identifier) @name) @def.type
(field_declaration (type_qualifier "constexpr") type: (_) @returns declarator: (field_identifier) @name) @def.constant
(declaration_list (declaration (type_qualifier "constexpr") type: (_) @returns declarator: (init_declarator declarator: (identifier) @name)) @def.constant)
(translation_unit (declaration (type_qualifier "constexpr") type: (_) @returns declarator: (init_declarator declarator: (identifier) @name)) @def.constant)

; uses
(call_expression function: [(identifier) @name (template_function name: (identifier) @name)
  (field_expression argument: (_) @receiver field: [(field_identifier) @name (template_method name: (field_identifier) @name)])
  (qualified_identifier scope: (_)? @receiver name: [(identifier) @name (template_function name: (identifier) @name)
    (qualified_identifier scope: (_) @receiver name: [(identifier) @name (template_function name: (identifier) @name)
      (qualified_identifier scope: (_) @receiver name: [(identifier) @name (template_function name: (identifier) @name)])])])
  (parenthesized_expression [(identifier) @name (pointer_expression argument: (identifier) @name)])] arguments: (argument_list) @args) @ref.call
(new_expression type: [(type_identifier) @name (template_type name: (type_identifier) @name) (qualified_identifier scope: (_) @receiver name: [(type_identifier) @name (template_type name: (type_identifier) @name)])] arguments: (_)? @args) @ref.call
(declaration type: [(type_identifier) @name (template_type name: (type_identifier) @name) (qualified_identifier scope: (_) @receiver name: [(type_identifier) @name (template_type name: (type_identifier) @name)])] declarator: (init_declarator value: [(argument_list) (initializer_list)])) @ref.call
(compound_literal_expression type: [(type_identifier) @name (template_type name: (type_identifier) @name) (qualified_identifier scope: (_) @receiver name: [(type_identifier) @name (template_type name: (type_identifier) @name)])]) @ref.call
(throw_statement (call_expression function: [(identifier) @name (qualified_identifier scope: (_) @receiver name: (identifier) @name)])) @ref.throw
[(template_type) (qualified_identifier name: [(type_identifier) (template_type)])] @ref.type

; what names are declared to be
(optional_parameter_declaration type: (_) @bind.type declarator: [(identifier) @bind.name (pointer_declarator declarator: (identifier) @bind.name) (reference_declarator (identifier) @bind.name)]) @bind
(parameter_declaration type: (_) @bind.type declarator: (reference_declarator (identifier) @bind.name)) @bind
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: [(identifier) @bind.name (pointer_declarator declarator: (identifier) @bind.name) (reference_declarator (identifier) @bind.name)] value: [(call_expression) (new_expression) (identifier) (field_expression)] @bind.value)) @bind
(declaration type: [(type_identifier) (template_type) (qualified_identifier)] @bind.type declarator: (init_declarator declarator: (reference_declarator (identifier) @bind.name))) @bind
(field_declaration type: (_) @bind.type declarator: (reference_declarator (field_identifier) @bind.name)) @bind
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: (identifier) @bind.name value: (call_expression function: (qualified_identifier name: (template_function name: (identifier) @_make arguments: (template_argument_list . (type_descriptor) @bind.type))))) (#any-of? @_make "make_unique" "make_shared")) @bind
(for_range_loop type: (placeholder_type_specifier) declarator: [(identifier) @bind.name (reference_declarator (identifier) @bind.name)] right: [(identifier) (call_expression) (field_expression)] @bind.each) @bind
(for_range_loop type: [(type_identifier) (template_type) (qualified_identifier)] @bind.type declarator: [(identifier) @bind.name (reference_declarator (identifier) @bind.name) (pointer_declarator declarator: (identifier) @bind.name)]) @bind
