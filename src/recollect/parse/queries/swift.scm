;;; grammar = "tree_sitter_swift"
;;; extensions = [".swift"]
;;; shebangs = ["swift"]
;;; line_comments = ["///", "//"]
;;; block_comments = [["/*", "*/"]]
;;; self_words = ["self"]
;;; super_words = ["super"]
;;; visibility = "words"
;;; visibility_default = "internal"
;;; visibility_words = { public = "public", open = "public", package = "internal", internal = "internal", fileprivate = "private", private = "private" }
;;; member_visibility = { interface = "public", enum_member = "public" }
;;; constructors = ["init"]
;;; values = "any"
;;; module_alias = "last"
;;; wrappers = ["Optional", "Published", "Binding", "AnyPublisher", "Result", "UnsafePointer", "Task"]
;;; collections = ["Array", "Set", "ArraySlice", "Sequence", "Dictionary", "AsyncStream", "AsyncThrowingStream"]
;;; type_noise = ["@escaping ", "@autoclosure ", "@Sendable ", "indirect "]
;;; builtins = ["String", "Int", "Bool", "Double", "Float", "Character", "UInt", "Int64", "Int32", "UInt64", "UInt8", "Any", "AnyObject", "Void", "Never", "Self", "self", "nil", "true", "false", "$0", "$1", "$2"]
;;; test_paths = ["(^|/)[^/]*Tests/", "Tests?\\.swift$"]
;;; test_names = ["^test[A-Z_]"]
;;; test_decorators = ["^(Test|Suite)$"]

((import_declaration (identifier) @import.module @import.wildcard) @import (#not-match? @import " (struct|class|enum|protocol|func|var|let|typealias) "))
(import_declaration ["struct" "class" "enum" "protocol" "func" "var" "let" "typealias"] . (identifier) @import.tree) @import

(class_declaration ["class" "actor"] . name: (type_identifier) @name body: (_) @body) @def.class
(class_declaration "struct" . name: (type_identifier) @name body: (_) @body) @def.struct
(class_declaration "enum" . name: (type_identifier) @name body: (_) @body) @def.enum
(class_declaration "extension" . name: (_) @name) @scope
(class_declaration "extension" . name: (_) @name (inheritance_specifier) @base.implements) @scope
(protocol_declaration name: (type_identifier) @name body: (_) @body) @def.interface
(inheritance_specifier inherits_from: (_) @base.extends) @inherits
(enum_entry "case" . name: (simple_identifier) @name .) @def.enum_member
(enum_entry "case" . name: (simple_identifier) @name . data_contents: (_) .) @def.enum_member
(enum_entry "case" . name: (simple_identifier) @name . raw_value: (_) .) @def.enum_member
(enum_entry name: (simple_identifier) @name @def.enum_member)
(typealias_declaration "typealias" . (type_identifier) @name) @def.type
(associatedtype_declaration "associatedtype" . (type_identifier) @name) @def.type
(function_declaration "func" . _ @name "(" @params ")" @params ("->" . (_) @returns)? (_) @body .) @def.function
(protocol_function_declaration "func" . _ @name "(" @params ")" @params ("->" . (_) @returns)?) @def.function
(init_declaration "init" @name "(" @params ")" @params body: (_)? @body) @def.constructor
(deinit_declaration "deinit" @name body: (_) @body) @def.method
(subscript_declaration "subscript" @name "(" @params ")" @params "->" . (_) @returns (computed_property) @body) @def.property
(protocol_property_declaration name: (_ bound_identifier: (simple_identifier) @name) (type_annotation) @returns) @def.property
(property_declaration name: (_ bound_identifier: (simple_identifier) @name) (type_annotation)? @returns computed_value: (_) @body) @def.property @toplevel
(class_body (property_declaration (modifiers (property_modifier "static")) (value_binding_pattern "let") name: (_ bound_identifier: (simple_identifier) @name) (type_annotation)? @returns) @def.constant)
(class_body (property_declaration name: (_ bound_identifier: (simple_identifier) @name) (type_annotation)? @returns) @def.field)
(class_body (property_declaration name: (pattern (pattern (simple_identifier) @name @def.field))))
(enum_class_body (property_declaration name: (_ bound_identifier: (simple_identifier) @name) (type_annotation)? @returns) @def.constant)
(source_file (property_declaration name: (_ bound_identifier: (simple_identifier) @name) (type_annotation)? @returns) @def.variable)

(call_expression [(simple_identifier) @name
                  (_ target: (_) @receiver suffix: (_ suffix: (simple_identifier) @name))] (call_suffix (value_arguments "(") @args)) @ref.call
(call_expression [(simple_identifier) @name
                  (_ target: (_) @receiver suffix: (_ suffix: (simple_identifier) @name))] (call_suffix . (lambda_literal))) @ref.call
(call_expression (navigation_expression) @receiver (call_suffix (value_arguments "[" (value_argument value: (line_string_literal) @literal))) (#match? @receiver "environment$")) @ref.field
(constructor_expression constructed_type: (_ (type_identifier) @name .) (constructor_suffix (value_arguments) @args)) @ref.call
(constructor_expression constructed_type: (_ (type_identifier) @name . (type_arguments) .) (constructor_suffix (value_arguments) @args)) @ref.call
(attribute (user_type (type_identifier) @name .)) @ref.decorate
(control_transfer_statement (throw_keyword) [(simple_identifier) @name
                                             (call_expression [(simple_identifier) @name (_ target: (simple_identifier) @name)])
                                             (_ target: (simple_identifier) @name)]) @ref.throw
(navigation_expression target: (_) @receiver suffix: (_ suffix: (simple_identifier) @name)) @ref.field
(user_type) @ref.type
(property_declaration value: (simple_identifier) @ref.value)
(control_transfer_statement result: (simple_identifier) @ref.value)
(assignment result: (simple_identifier) @ref.value)
(array_literal element: (simple_identifier) @ref.value)
(nil_coalescing_expression if_nil: (simple_identifier) @ref.value)

(parameter name: (simple_identifier) @bind.name [(user_type) (optional_type) (array_type) (dictionary_type) (opaque_type) (existential_type) (protocol_composition_type)] @bind.type) @bind
(lambda_parameter name: (simple_identifier) @bind.name [(user_type) (optional_type) (array_type) (dictionary_type)] @bind.type) @bind
(property_declaration name: (_ bound_identifier: (simple_identifier) @bind.name) (type_annotation) @bind.type) @bind
(property_declaration name: (_ bound_identifier: (simple_identifier) @bind.name) . value: (_) @bind.value) @bind
(protocol_property_declaration name: (_ bound_identifier: (simple_identifier) @bind.name) (type_annotation) @bind.type) @bind
(_ (value_binding_pattern) . bound_identifier: (simple_identifier) @bind.name . condition: [(call_expression) (navigation_expression) (simple_identifier) (try_expression) (await_expression) (as_expression)] @bind.value) @bind
(for_statement item: (_ bound_identifier: (simple_identifier) @bind.name) collection: [(simple_identifier) (navigation_expression) (call_expression)] @bind.each) @bind
(catch_block error: (pattern (pattern bound_identifier: (simple_identifier) @bind.name) name: (user_type) @bind.type)) @bind
