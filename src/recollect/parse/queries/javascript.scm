;;; include = "_ecmascript"
;;; grammar = "tree_sitter_javascript"
;;; extensions = [".js", ".mjs", ".cjs", ".jsx", ".es6"]
;;; filenames = ["Jakefile"]
;;; shebangs = ["node", "nodejs", "deno", "bun"]

(class_declaration name: (identifier) @name (class_heritage (_) @base.extends)? body: (_) @body) @def.class
(variable_declarator name: (identifier) @name value: (class (class_heritage (_) @base.extends)? body: (_) @body)) @def.class
(field_definition property: (_) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params body: (_) @body) (function_expression parameters: (_) @params body: (_) @body)]) @def.method
(field_definition property: (_) @name) @def.field
(field_definition property: (_) @bind.name value: [(call_expression) (new_expression) (identifier) (member_expression)] @bind.value) @bind
(jsx_opening_element name: (identifier) @name (#match? @name "^[A-Z]")) @ref.call
(jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @name)) @ref.call
(jsx_self_closing_element name: (identifier) @name (#match? @name "^[A-Z]")) @ref.call
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @name)) @ref.call
(jsx_expression (identifier) @ref.value)
