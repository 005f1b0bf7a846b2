;;; grammar = "tree_sitter_kotlin"
;;; extensions = [".kt", ".kts"]
;;; line_comments = ["//"]
;;; block_comments = [["/*", "*/"]]
;;; self_words = ["this"]
;;; super_words = ["super"]
;;; visibility = "words"
;;; visibility_default = "public"
;;; visibility_words = { public = "public", protected = "protected", private = "private", internal = "internal" }
;;; rewrites = [['(?m)^(\s*!?(?:is|in) (?:(?!->)[^\n])*?) if ', '\1 ,  '], ['(?m)^(\s*[A-Z][\w.]*(?:\([^()\n]*\))?) if (?=[^\n]*->)', '\1 ,  '], ['(?<=[})\]]) get (?=[\w(])', ' gat '], ['(?m)^(\s*)where(?=\??\.|\s*=)', '\1whare'], ['(?m)^(\s*)@\w(?=[^\n]*\n\s*[gs]et\()', '\1//'], ['\$\$+(?="[^"\n]*")', ''], ['\$(?=\{[\w.-]+:[^}"\n]*\})', ' ']]
;;; values = "any"
;;; module_alias = "last"
;;; constants = "upper"
;;; wrappers = ["Lazy", "Deferred", "Result", "StateFlow", "MutableStateFlow", "AtomicReference"]
;;; collections = ["List", "MutableList", "Set", "MutableSet", "Collection", "Iterable", "Sequence", "Flow", "Array", "Map", "MutableMap", "ArrayDeque"]
;;; type_noise = ["suspend "]
;;; builtins = ["String", "Int", "Long", "Boolean", "Double", "Float", "Short", "Byte", "Char", "Any", "Unit", "Nothing", "this", "it", "true", "false", "null"]
;;; test_paths = ["(^|/)src/([a-z]+T|t)est/", "(Test|Tests|Spec)\\.kt$"]
;;; test_decorators = ["^(Test|ParameterizedTest|RepeatedTest|BeforeTest|AfterTest|BeforeEach|AfterEach|Before|After)$"]

(package_header (qualified_identifier) @package)
(import) @import @import.tree

(class_declaration "interface" name: (identifier) @name (delegation_specifiers)? @base.extends (class_body)? @body) @def.interface
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name (primary_constructor (class_parameters) @params)? (delegation_specifiers)? @base.implements (enum_class_body)? @body) @def.enum
(class_declaration "class" name: (identifier) @name (primary_constructor (class_parameters) @params)? (delegation_specifiers)? @base.extends (class_body)? @body) @def.class
; after an annotation the grammar takes `class Name {` for an expression
(infix_expression . (identifier) @_word . (identifier) @name . (lambda_literal)? @body . (#any-of? @_word "class" "interface" "object")) @def.class
(infix_expression . (identifier) . (identifier) @_word . [(identifier) @name (call_expression . (identifier) @name (annotated_lambda (lambda_literal)) @body)] . (#eq? @_word "class")) @def.class
(annotated_expression (infix_expression) @wrapped) @wrap
(annotated_expression (annotated_expression) @wrapped) @wrap
(infix_expression . (identifier) @_word . (identifier) . (lambda_literal (property_declaration (variable_declaration (identifier) @name [(user_type) (nullable_type)]? @returns)) @def.property) (#any-of? @_word "class" "object"))
(object_declaration name: (identifier) @name (delegation_specifiers)? @base.extends (class_body)? @body) @def.object
(companion_object (identifier) @name (delegation_specifiers)? @base.extends (class_body)? @body) @def.object
(enum_entry . (identifier) @name (class_body)? @body) @def.enum_member
(function_declaration [(user_type (identifier) @owner . (type_arguments)? .) (nullable_type (user_type (identifier) @owner . (type_arguments)? .))] . "." . name: (identifier) @name (function_value_parameters) @params . [(user_type) (nullable_type)] @returns (function_body)? @body) @def.function
(function_declaration [(user_type (identifier) @owner . (type_arguments)? .) (nullable_type (user_type (identifier) @owner . (type_arguments)? .))] . "." . name: (identifier) @name (function_value_parameters) @params (function_body)? @body) @def.function
(function_declaration name: (identifier) @name (function_value_parameters) @params . [(user_type) (nullable_type)] @returns (function_body)? @body) @def.function
(function_declaration name: (identifier) @name (function_value_parameters) @params (function_body)? @body) @def.function
(secondary_constructor "constructor" @name (function_value_parameters) @params (block)? @body) @def.constructor
(property_declaration (modifiers (property_modifier "const")) (variable_declaration (identifier) @name [(user_type) (nullable_type)]? @returns)) @def.constant
(property_declaration [(user_type (identifier) @owner . (type_arguments)? .) (nullable_type (user_type (identifier) @owner . (type_arguments)? .))] . "." . (variable_declaration (identifier) @name [(user_type) (nullable_type)]? @returns) (getter)? @body) @def.property
(class_body (property_declaration (variable_declaration (identifier) @name [(user_type) (nullable_type)]? @returns) (getter) @body) @def.property)
(class_body (property_declaration (variable_declaration (identifier) @name [(user_type) (nullable_type)]? @returns)) @def.property)
(source_file (property_declaration (variable_declaration (identifier) @name [(user_type) (nullable_type)]? @returns)) @def.variable)
(class_parameter ["val" "var"] (identifier) @name [(user_type) (nullable_type)] @returns) @def.property
(type_alias (identifier) @name) @def.type

(call_expression [(identifier) @name (navigation_expression (_) @receiver (identifier) @name .)] [(value_arguments) @args (annotated_lambda)]) @ref.call
(constructor_invocation (user_type (identifier) @name .) (value_arguments) @args) @ref.call
(callable_reference (_)? @receiver (identifier) @name .) @ref.call
(file_annotation [(user_type (identifier) @name .) (constructor_invocation (user_type (identifier) @name .) (value_arguments) @args)]) @ref.decorate
(annotation [(user_type (identifier) @name .) (constructor_invocation (user_type (identifier) @name .) (value_arguments) @args)]) @ref.decorate
(throw_expression (call_expression (identifier) @name)) @ref.throw
(navigation_expression (_) @receiver (identifier) @name .) @ref.field
[(user_type)] @ref.type
(infix_expression . (_) @receiver . (identifier) @name) @ref.call
(return_expression (identifier) @ref.value)
(assignment right: (identifier) @ref.value)

(parameter (identifier) @bind.name [(user_type) (nullable_type)] @bind.type) @bind
(class_parameter (identifier) @bind.name [(user_type) (nullable_type)] @bind.type) @bind
(property_declaration (variable_declaration (identifier) @bind.name [(user_type) (nullable_type)] @bind.type)) @bind
(property_declaration (variable_declaration . (identifier) @bind.name .) [(call_expression) (navigation_expression) (identifier)] @bind.value) @bind
(for_statement (variable_declaration (identifier) @bind.name) "in" . [(identifier) (navigation_expression) (call_expression)] @bind.each) @bind
(catch_block (identifier) @bind.name (user_type) @bind.type) @bind
(lambda_parameters (variable_declaration (identifier) @bind.name [(user_type) (nullable_type)] @bind.type)) @bind
