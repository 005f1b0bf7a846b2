;;; grammar = "tree_sitter_php"
;;; entry = "language_php"
;;; extensions = [".php", ".phtml", ".inc"]
;;; shebangs = ["php"]
;;; line_comments = ["//", "#"]
;;; block_comments = [["/**", "*/"], ["/*", "*/"]]
;;; self_words = ["$this", "this", "static", "self"]
;;; super_words = ["parent"]
;;; separators = ["\\"]
;;; sigils = ["$"]
;;; visibility = "words"
;;; visibility_default = "public"
;;; visibility_words = { public = "public", protected = "protected", private = "private" }
;;; values = "declared"
;;; module_alias = "last"
;;; constructors = ["__construct"]
;;; type_noise = ["?", "\\"]
;;; builtins = ["string", "int", "bool", "float", "array", "mixed", "void", "null", "iterable", "callable", "object", "never", "static", "self", "true", "false"]
;;; test_paths = ["(^|/)[tT]ests?/", "(Test|TestCase)\\.php$"]
;;; test_names = ["^test[A-Z_]"]
;;; test_decorators = ["^(Test|DataProvider)$"]

(namespace_definition name: (namespace_name) @package)
(namespace_use_declaration) @import @import.tree
([(require_once_expression [(string) @import.module (encapsed_string) @import.module (_ [(string) (encapsed_string)] @import.module)])
  (require_expression [(string) @import.module (encapsed_string) @import.module (_ [(string) (encapsed_string)] @import.module)])
  (include_expression [(string) @import.module (encapsed_string) @import.module (_ [(string) (encapsed_string)] @import.module)])
  (include_once_expression [(string) @import.module (encapsed_string) @import.module (_ [(string) (encapsed_string)] @import.module)])] @import @import.silent)

(class_declaration name: (name) @name (base_clause)? @base.extends (class_interface_clause)? @base.implements body: (declaration_list) @body) @def.class
(interface_declaration name: (name) @name (base_clause)? @base.extends body: (declaration_list) @body) @def.interface
(trait_declaration name: (name) @name body: (declaration_list) @body) @def.trait
(enum_declaration name: (name) @name (class_interface_clause)? @base.implements body: (enum_declaration_list) @body) @def.enum
(enum_case name: (name) @name) @def.enum_member
(method_declaration name: (name) @name parameters: (formal_parameters) @params return_type: (_)? @returns body: (compound_statement)? @body) @def.method
(function_definition name: (name) @name parameters: (formal_parameters) @params return_type: (_)? @returns body: (compound_statement) @body) @def.function
(const_declaration (const_element . (name) @name)) @def.constant
(function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name))) (#eq? @_define "define")) @def.constant
(property_declaration type: (_)? @returns (property_element name: (variable_name (name) @name)) (property_hook_list)? @body) @def.field
(property_promotion_parameter type: (_)? @returns name: (variable_name (name) @name) @member) @def.field
(use_declaration (name) @base.implements) @inherits
(use_declaration (qualified_name) @base.implements) @inherits

(function_call_expression function: [(name) @name (qualified_name prefix: (_) @receiver (name) @name) (qualified_name . (name) @name) (relative_name (name) @name)] arguments: (arguments) @args) @ref.call
(member_call_expression object: (_) @receiver name: (name) @name arguments: (arguments) @args) @ref.call
(nullsafe_member_call_expression object: (_) @receiver name: (name) @name arguments: (arguments) @args) @ref.call
(scoped_call_expression scope: (_) @receiver name: (name) @name arguments: (arguments) @args) @ref.call
(object_creation_expression [(name) @name (qualified_name prefix: (_) @receiver (name) @name) (qualified_name . (name) @name)] (arguments)? @args) @ref.call
(attribute [(name) @name (qualified_name prefix: (_) @receiver (name) @name) (qualified_name . (name) @name)] parameters: (arguments)? @args) @ref.decorate
(throw_expression (object_creation_expression [(name) @name (qualified_name prefix: (_) @receiver (name) @name) (qualified_name . (name) @name)])) @ref.throw
(member_access_expression object: (_) @receiver name: (name) @name) @ref.field
(class_constant_access_expression . (_) @receiver (name) @name .) @ref.field
(scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @name)) @ref.field
(subscript_expression . (variable_name) @receiver (string) @literal) @ref.field
(named_type) @ref.type
(anonymous_class (base_clause (_) @ref.type))
(anonymous_class (class_interface_clause (_) @ref.type))

(simple_parameter type: (_) @bind.type name: (variable_name (name) @bind.name)) @bind
(property_promotion_parameter type: (_) @bind.type name: (variable_name (name) @bind.name)) @bind
(property_declaration type: (_) @bind.type (property_element name: (variable_name (name) @bind.name))) @bind
(assignment_expression left: (variable_name (name) @bind.name) right: [(object_creation_expression) (function_call_expression) (member_call_expression) (scoped_call_expression) (variable_name) (member_access_expression)] @bind.value) @bind
(foreach_statement . [(variable_name) (member_access_expression) (member_call_expression)] @bind.each . (variable_name (name) @bind.name)) @bind
(property_promotion_parameter type: (_) @bind.type name: (variable_name (name) @bind.name) @bind.field) @bind
(foreach_statement . [(variable_name) (member_access_expression) (member_call_expression)] @bind.each . (pair (_) (variable_name (name) @bind.name))) @bind
(catch_clause type: (_) @bind.type name: (variable_name (name) @bind.name)) @bind
