;;; grammar = "tree_sitter_java"
;;; extensions = [".java"]
;;; line_comments = ["//"]
;;; block_comments = [["/*", "*/"]]
;;; self_words = ["this"]
;;; super_words = ["super"]
;;; visibility = "words"
;;; visibility_default = "internal"
;;; visibility_words = { public = "public", protected = "protected", private = "private" }
;;; member_visibility = { parameter = "public", interface = "public", enum_member = "public" }
;;; values = "any"
;;; module_alias = "last"
;;; wrappers = ["Optional", "CompletableFuture", "Future", "Supplier", "Provider", "AtomicReference", "ThreadLocal", "WeakReference", "Lazy"]
;;; collections = ["List", "Set", "Collection", "Iterable", "Iterator", "Stream", "Queue", "Deque", "ArrayList", "LinkedList", "HashSet", "Map", "HashMap", "ConcurrentMap"]
;;; builtins = ["String", "Object", "Integer", "Long", "Boolean", "Double", "Float", "Short", "Byte", "Character", "Void", "var", "extends", "super", "true", "false", "null"]
;;; test_paths = ["(^|/)src/(test|it|integrationTest)/", "(Test|Tests|IT|TestCase)\\.java$"]
;;; test_decorators = ["^(Test|ParameterizedTest|RepeatedTest|TestFactory|BeforeEach|AfterEach|BeforeAll|AfterAll|Before|After|BeforeClass|AfterClass)$"]

(package_declaration (_) @package)
(import_declaration (scoped_identifier) @import.module .) @import
(import_declaration "import" . (scoped_identifier) @import.module (asterisk) @import.wildcard) @import

(class_declaration name: (identifier) @name superclass: (superclass (_) @base.extends)? interfaces: (super_interfaces (type_list) @base.implements)? body: (class_body) @body) @def.class
(interface_declaration name: (identifier) @name (extends_interfaces (type_list) @base.extends)? body: (interface_body) @body) @def.interface
(enum_declaration name: (identifier) @name interfaces: (super_interfaces (type_list) @base.implements)? body: (enum_body) @body) @def.enum
(record_declaration name: (identifier) @name parameters: (formal_parameters) @params interfaces: (super_interfaces (type_list) @base.implements)? body: (class_body) @body) @def.class
(annotation_type_declaration name: (identifier) @name body: (annotation_type_body) @body) @def.interface
(annotation_type_element_declaration type: (_) @returns name: (identifier) @name) @def.method
(enum_constant name: (identifier) @name body: (class_body)? @body) @def.enum_member
(method_declaration type: (_) @returns name: (identifier) @name parameters: (formal_parameters) @params body: (block)? @body) @def.method
(constructor_declaration name: (identifier) @name parameters: (formal_parameters) @params body: (constructor_body) @body) @def.constructor
(compact_constructor_declaration name: (identifier) @name body: (block) @body) @def.constructor
(field_declaration (modifiers "static" "final") type: (_) @returns declarator: (variable_declarator name: (identifier) @name)) @def.constant
(constant_declaration type: (_) @returns declarator: (variable_declarator name: (identifier) @name)) @def.constant
(field_declaration type: (_) @returns declarator: (variable_declarator name: (identifier) @name)) @def.field
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @returns name: (identifier) @name) @def.field @member))

(method_invocation object: (_)? @receiver name: (identifier) @name arguments: (argument_list) @args) @ref.call
(object_creation_expression type: [(type_identifier) @name (generic_type . (type_identifier) @name) (scoped_type_identifier (_) @receiver . (type_identifier) @name .) (generic_type . (scoped_type_identifier (_) @receiver . (type_identifier) @name .))] arguments: (argument_list) @args) @ref.call
(explicit_constructor_invocation constructor: (_) @name arguments: (argument_list) @args) @ref.call
(method_reference . (_) @receiver (identifier) @name .) @ref.call
(marker_annotation name: (_) @name) @ref.decorate
(annotation name: (_) @name arguments: (annotation_argument_list) @args) @ref.decorate
(throws (_) @name @ref.throw)
(throw_statement (object_creation_expression type: (_) @name)) @ref.throw
(field_access object: (_) @receiver field: (identifier) @name) @ref.field
[(type_identifier) (scoped_type_identifier) (generic_type)] @ref.type
(return_statement (identifier) @ref.value)
(variable_declarator value: (identifier) @ref.value)
(assignment_expression right: (identifier) @ref.value)

(formal_parameter type: (_) @bind.type name: (identifier) @bind.name) @bind
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @bind.type name: (identifier) @bind.name @bind.field))) @bind
(spread_parameter (_) @bind.many (variable_declarator name: (identifier) @bind.name)) @bind
(field_declaration type: (_) @bind.type declarator: (variable_declarator name: (identifier) @bind.name)) @bind
(local_variable_declaration type: (_) @bind.type declarator: (variable_declarator name: (identifier) @bind.name)) @bind
(local_variable_declaration type: (type_identifier) declarator: (variable_declarator name: (identifier) @bind.name value: [(method_invocation) (object_creation_expression) (identifier) (field_access)] @bind.value)) @bind
(enhanced_for_statement type: (_) @bind.type name: (identifier) @bind.name) @bind
(resource type: (_) @bind.type name: (identifier) @bind.name) @bind
(instanceof_expression right: (_) @bind.type name: (identifier) @bind.name) @bind
(catch_formal_parameter (catch_type . (_) @bind.type .) name: (identifier) @bind.name) @bind
