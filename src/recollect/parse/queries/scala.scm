;;; grammar = "tree_sitter_scala"
;;; extensions = [".scala", ".sc", ".sbt", ".mill"]
;;; shebangs = ["scala", "scala-cli"]
;;; line_comments = ["//"]
;;; block_comments = [["/*", "*/"]]
;;; self_words = ["this", "self"]
;;; super_words = ["super"]
;;; visibility = "words"
;;; visibility_default = "public"
;;; visibility_words = { private = "private", protected = "protected", "private[" = "internal", "protected[" = "protected" }
;;; constructors = ["this"]
;;; constants = "upper"
;;; values = "any"
;;; module_alias = "last"
;;; wrappers = ["Option", "Some", "Future", "Try", "IO", "Task", "Eval", "Ref", "Resource", "AtomicReference"]
;;; collections = ["List", "Seq", "IndexedSeq", "Vector", "Set", "Iterable", "Iterator", "Array", "ArrayBuffer", "ListBuffer", "Queue", "LazyList", "Stream", "Chain", "NonEmptyList", "Map", "HashMap", "SortedMap"]
;;; type_noise = ["=> "]
;;; builtins = ["String", "Int", "Long", "Boolean", "Double", "Float", "Short", "Byte", "Char", "Any", "AnyRef", "AnyVal", "Unit", "Nothing", "Null", "this", "true", "false", "null", "Nil", "None", "_"]
;;; test_paths = ["(^|/)src/([a-z]+-)?(test|it)/", "(^|/)tests?/", "(Test|Tests|Spec|Specs|Suite)\\.scala$"]
;;; test_decorators = ["^(Test|Before|After|BeforeClass|AfterClass|BeforeEach|AfterEach)$"]

(package_clause name: (package_identifier) @package)
(import_declaration) @import @import.tree

(class_definition name: (_) @name class_parameters: (class_parameters)? @params extend: (extends_clause)? @base.extends body: (template_body)? @body) @def.class
(trait_definition name: (_) @name extend: (extends_clause)? @base.extends body: (template_body)? @body) @def.trait
(object_definition name: (_) @name extend: (extends_clause)? @base.extends body: (template_body)? @body) @def.object
(package_object name: (_) @name extend: (extends_clause)? @base.extends body: (template_body)? @body) @def.object
(enum_definition name: (_) @name class_parameters: (class_parameters)? @params extend: (extends_clause)? @base.extends body: (_) @body) @def.enum
(simple_enum_case name: (_) @name) @def.enum_member
(full_enum_case name: (_) @name class_parameters: (class_parameters) @params) @def.enum_member
(extension_definition parameters: (parameters (parameter type: (_) @name))) @scope
(given_definition name: (_) @name return_type: (_)? @base.implements body: (with_template_body) @body) @def.object
(given_definition name: (_) @name return_type: (_)? @returns body: (_) @body) @def.constant
(type_definition name: (_) @name) @def.type
(function_definition name: (_) @name . (type_parameters)? . (parameters) @params return_type: (_)? @returns body: (_) @body) @def.function
(function_definition name: (_) @name return_type: (_)? @returns body: (_) @body) @def.function
(function_declaration name: (_) @name . (type_parameters)? . (parameters) @params return_type: (_)? @returns) @def.function
(function_declaration name: (_) @name return_type: (_)? @returns) @def.function
(val_definition (modifiers "final") pattern: (identifier) @name type: (_)? @returns value: (_) @body) @def.constant
(template_body (val_definition pattern: (identifier) @name type: (_)? @returns value: (_) @body) @def.field)
(template_body (val_definition pattern: (tuple_pattern (identifier) @name @def.field)))
(template_body (var_definition pattern: (identifier) @name type: (_)? @returns value: (_) @body) @def.field)
(template_body [(val_declaration name: (identifier) @name type: (_) @returns) (var_declaration name: (identifier) @name type: (_) @returns)] @def.field)
(compilation_unit (val_definition pattern: (identifier) @name type: (_)? @returns value: (_) @body) @def.variable)
(compilation_unit (var_definition pattern: (identifier) @name type: (_)? @returns value: (_) @body) @def.variable)
(call_expression function: (call_expression function: (identifier) @_word arguments: (arguments . (string) @name)) arguments: (_) @body (#any-of? @_word "test" "it" "describe" "property" "it" "feature" "scenario")) @def.test
(infix_expression left: [(string) @name (infix_expression right: (string) @name)] operator: (identifier) @_word right: (block) @body (#any-of? @_word "in" "should" "when" "must" "can" "-")) @def.test
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (identifier) @name type: (_) @returns) @def.field @member))
(class_parameter ["val" "var"] name: (identifier) @name type: (_) @returns) @def.field @member

(call_expression function: [(identifier) @name
                            (field_expression value: (_) @receiver field: (identifier) @name)
                            (generic_function function: (identifier) @name)
                            (generic_function function: (field_expression value: (_) @receiver field: (identifier) @name))] arguments: (_) @args) @ref.call
(infix_expression left: (_) @receiver operator: (identifier) @name) @ref.call
(instance_expression . [(type_identifier) @name
                        (stable_type_identifier (_) @receiver . (type_identifier) @name .)
                        (generic_type type: (type_identifier) @name)
                        (generic_type type: (stable_type_identifier (_) @receiver . (type_identifier) @name .))] . (arguments)? @args) @ref.call
(annotation name: [(type_identifier) @name (generic_type type: (type_identifier) @name) (stable_type_identifier (type_identifier) @name .)] arguments: (arguments)? @args) @ref.decorate
(throw_expression [(instance_expression . (type_identifier) @name) (call_expression function: (identifier) @name) (identifier) @name]) @ref.throw
(field_expression value: (_) @receiver field: (identifier) @name) @ref.field
[(type_identifier) (stable_type_identifier) (generic_type)] @ref.type
(case_class_pattern type: (_) @ref.type)
(val_definition value: (identifier) @ref.value)
(assignment_expression right: (identifier) @ref.value)
(infix_expression right: (identifier) @ref.value)
(tuple_expression (identifier) @ref.value)
(block (identifier) @ref.value .)

(parameter name: (identifier) @bind.name type: [(type_identifier) (generic_type) (stable_type_identifier) (lazy_parameter_type) (tuple_type) (compound_type) (infix_type) (annotated_type)] @bind.type) @bind
(parameter name: (identifier) @bind.name type: (repeated_parameter_type type: (_) @bind.many)) @bind
(class_parameter name: (identifier) @bind.name type: (_) @bind.type) @bind
(binding name: (identifier) @bind.name type: (_) @bind.type) @bind
(val_definition pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(val_definition pattern: (identifier) @bind.name !type value: [(call_expression) (instance_expression) (identifier) (field_expression)] @bind.value) @bind
(var_definition pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(var_definition pattern: (identifier) @bind.name !type value: [(call_expression) (instance_expression) (identifier) (field_expression)] @bind.value) @bind
(val_declaration name: (identifier) @bind.name type: (_) @bind.type) @bind
(typed_pattern pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(enumerator . (identifier) @bind.name "<-" . [(identifier) (call_expression) (field_expression)] @bind.each) @bind
