;;; include = "_ecmascript"
;;; grammar = "tree_sitter_typescript"
;;; type_noise = ["asserts ", "keyof ", "typeof ", "infer ", "unique ", "readonly "]

(function_declaration name: (identifier) @name parameters: (_) @params return_type: (_) @returns body: (_) @body) @def.function
(function_signature name: (identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.function
(class_declaration name: (type_identifier) @name (class_heritage (extends_clause)? @base.extends (implements_clause)? @base.implements)? body: (_) @body) @def.class
(abstract_class_declaration name: (type_identifier) @name (class_heritage (extends_clause)? @base.extends (implements_clause)? @base.implements)? body: (_) @body) @def.class
(variable_declarator name: (identifier) @name value: (class (class_heritage (extends_clause)? @base.extends (implements_clause)? @base.implements)? body: (_) @body)) @def.class
(interface_declaration name: (type_identifier) @name (extends_type_clause)? @base.extends body: (_) @body) @def.interface
(type_alias_declaration name: (type_identifier) @name) @def.type
(enum_declaration name: (identifier) @name body: (_) @body) @def.enum
(enum_body name: (_) @name @def.enum_member)
(enum_body (enum_assignment name: (_) @name) @def.enum_member)
(internal_module name: (_) @name body: (_) @body) @def.namespace
(module name: (_) @name body: (_) @body) @def.namespace
(ambient_declaration (_) @wrapped) @wrap
(expression_statement (internal_module) @wrapped) @wrap
(public_field_definition name: (_) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params return_type: (_)? @returns body: (_) @body) (function_expression parameters: (_) @params return_type: (_)? @returns body: (_) @body)]) @def.method
(public_field_definition name: (_) @name type: (_)? @returns) @def.field
(method_signature name: (_) @name parameters: (_) @params return_type: (_)? @returns) @def.method
(abstract_method_signature name: (_) @name parameters: (_) @params return_type: (_)? @returns) @def.method
(property_signature name: (_) @name type: (_)? @returns) @def.field
(required_parameter [(accessibility_modifier) "readonly"] @member pattern: (identifier) @name type: (_)? @returns) @def.field
(variable_declarator name: (identifier) @name value: (arrow_function [parameters: (_) parameter: (_)] @params return_type: (_) @returns body: (_) @body)) @def.function
(method_definition ["get" "set"] name: (_) @name parameters: (_) @params return_type: (_) @returns body: (_) @body) @def.property
(method_definition name: (_) @name parameters: (_) @params return_type: (_) @returns body: (_) @body) @def.method
(program (ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable)))
(internal_module body: (statement_block (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable))))

(type_identifier) @ref.type
(nested_type_identifier) @ref.type

(variable_declarator name: (identifier) @bind.name type: (_) @bind.type) @bind
(required_parameter pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(optional_parameter pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(required_parameter [(accessibility_modifier) "readonly"] @bind.field pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(public_field_definition name: (_) @bind.name type: (_) @bind.type) @bind
(public_field_definition name: (_) @bind.name !type value: [(call_expression) (new_expression) (identifier) (member_expression)] @bind.value) @bind
(property_signature name: (_) @bind.name type: (_) @bind.type) @bind
(import_statement (import_require_clause (identifier) @import.alias source: (_) @import.module)) @import
