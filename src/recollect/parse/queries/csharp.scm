;;; grammar = "tree_sitter_c_sharp"
;;; extensions = [".cs", ".csx"]
;;; line_comments = ["///", "//"]
;;; block_comments = [["/*", "*/"]]
;;; self_words = ["this"]
;;; super_words = ["base"]
;;; visibility = "words"
;;; visibility_default = "internal"
;;; visibility_words = { public = "public", protected = "protected", private = "private", internal = "internal" }
;;; member_visibility = { parameter = "public", enum_member = "public", interface = "public", class = "private", struct = "private" }
;;; values = "any"
;;; wrappers = ["Task", "ValueTask", "Nullable", "Lazy", "IOptions"]
;;; collections = ["List", "IList", "IEnumerable", "ICollection", "IReadOnlyList", "IReadOnlyCollection", "HashSet", "ISet", "Queue", "Stack", "Dictionary", "IDictionary", "ConcurrentDictionary", "IAsyncEnumerable"]
;;; type_noise = []
;;; builtins = ["string", "int", "long", "bool", "double", "float", "decimal", "object", "byte", "char", "short", "uint", "ulong", "void", "value", "var", "dynamic", "true", "false", "null"]
;;; test_paths = ["(^|/)[^/]*[.]?(Tests?|Specs?|UnitTests|IntegrationTests)/", "(Tests?|Specs?|Facts)\\.cs$"]
;;; test_decorators = ["(^|\\.)(Fact|Theory|Test|TestCase|TestMethod|DataTestMethod|TestFixture|TestClass|SetUp|TearDown|Benchmark)(Attribute)?$"]

(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)
(using_directive !name [(identifier) (qualified_name)] @import.module @import.wildcard) @import
(using_directive name: (identifier) @import.alias [(identifier) (qualified_name)] @import.module .) @import

(class_declaration name: (identifier) @name (base_list)? @base.extends body: (declaration_list) @body) @def.class
(record_declaration name: (identifier) @name (parameter_list)? @params (base_list)? @base.extends body: (declaration_list)? @body) @def.class
(struct_declaration name: (identifier) @name (base_list)? @base.implements body: (declaration_list) @body) @def.struct
(interface_declaration name: (identifier) @name (base_list)? @base.extends body: (declaration_list) @body) @def.interface
(enum_declaration name: (identifier) @name body: (enum_member_declaration_list) @body) @def.enum
(enum_member_declaration name: (identifier) @name) @def.enum_member
(delegate_declaration type: (_) @returns name: (identifier) @name parameters: (parameter_list) @params) @def.type
(method_declaration returns: (_) @returns name: (identifier) @name parameters: (parameter_list) @params body: (_)? @body) @def.method
(constructor_declaration name: (identifier) @name parameters: (parameter_list) @params body: (_)? @body) @def.constructor
(destructor_declaration "~" @name body: (_)? @body) @def.method
(property_declaration type: (_) @returns name: (identifier) @name accessors: (_)? @body) @def.property
(indexer_declaration type: (_) @returns "this" @name parameters: (_) @params accessors: (_)? @body) @def.property
(operator_declaration type: (_) @returns operator: _ @name parameters: (parameter_list) @params body: (_)? @body) @def.method
(conversion_operator_declaration ["implicit" "explicit"] type: (_) @name @returns parameters: (parameter_list) @params body: (_)? @body) @def.method
(local_function_statement type: (_) @returns name: (identifier) @name parameters: (parameter_list) @params body: (_)? @body) @def.function
(field_declaration (modifier "const") (variable_declaration type: (_) @returns (variable_declarator name: (identifier) @name))) @def.constant
(field_declaration (variable_declaration type: (_) @returns (variable_declarator name: (identifier) @name))) @def.field
(event_field_declaration (variable_declaration type: (_) @returns (variable_declarator name: (identifier) @name))) @def.field
(record_declaration (parameter_list (parameter type: (_) @returns name: (identifier) @name) @def.property @member))

(invocation_expression function: [(identifier) @name
                                  (generic_name (identifier) @name)
                                  (member_access_expression expression: _ @receiver name: [(identifier) @name (generic_name (identifier) @name)])] arguments: (argument_list) @args) @ref.call
(invocation_expression function: (conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @name)) arguments: (argument_list) @args) @ref.call
(object_creation_expression type: [(identifier) @name (generic_name (identifier) @name) (qualified_name qualifier: (_) @receiver name: (_) @name)] arguments: (argument_list)? @args) @ref.call
(constructor_initializer ["base" "this"] @name (argument_list) @args) @ref.call
(attribute name: [(identifier) @name (generic_name . (identifier) @name) (qualified_name qualifier: (_) @receiver name: (_) @name)] (attribute_argument_list)? @args) @ref.decorate
(throw_statement (object_creation_expression type: (_) @name)) @ref.throw
(throw_expression (object_creation_expression type: (_) @name)) @ref.throw
(member_access_expression expression: _ @receiver name: (identifier) @name) @ref.field
(variable_declaration type: (_) @ref.type)
(parameter type: (_) @ref.type)
(method_declaration returns: (_) @ref.type)
(property_declaration type: (_) @ref.type)
(cast_expression type: (_) @ref.type)
(type_argument_list (_) @ref.type)
(type_parameter_constraint type: (_) @ref.type)
(declaration_pattern type: (_) @ref.type)
(typeof_expression type: (_) @ref.type)
(catch_declaration type: (_) @ref.type)
(foreach_statement type: [(identifier) (generic_name) (qualified_name)] @ref.type)
(as_expression right: (_) @ref.type)
(is_expression right: (_) @ref.type)
(recursive_pattern type: (_) @ref.type)
(array_creation_expression type: (_) @ref.type)
(return_statement (identifier) @ref.value)
(assignment_expression right: (identifier) @ref.value)

(parameter type: (_) @bind.type name: (identifier) @bind.name) @bind
(variable_declaration type: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type)] @bind.type (variable_declarator name: (identifier) @bind.name)) @bind
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @bind.name [(invocation_expression) (object_creation_expression) (identifier) (member_access_expression) (await_expression)] @bind.value)) @bind
(property_declaration type: (_) @bind.type name: (identifier) @bind.name) @bind
(foreach_statement type: [(identifier) (generic_name) (qualified_name)] @bind.type left: (identifier) @bind.name) @bind
(foreach_statement type: (implicit_type) left: (identifier) @bind.name right: [(identifier) (member_access_expression) (invocation_expression)] @bind.each) @bind
(declaration_pattern type: (_) @bind.type name: (identifier) @bind.name) @bind
(catch_declaration type: (_) @bind.type name: (identifier) @bind.name) @bind
(class_declaration (parameter_list (parameter type: (_) @bind.type name: (identifier) @bind.name @bind.field))) @bind
(struct_declaration (parameter_list (parameter type: (_) @bind.type name: (identifier) @bind.name @bind.field))) @bind
(record_declaration (parameter_list (parameter type: (_) @bind.type name: (identifier) @bind.name @bind.field))) @bind
