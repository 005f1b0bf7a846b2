;;; include = "_typescript"
;;; grammar = "tree_sitter_typescript"
;;; entry = "language_tsx"
;;; extensions = [".tsx"]

(jsx_opening_element name: (identifier) @name (#match? @name "^[A-Z]")) @ref.call
(jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @name)) @ref.call
(jsx_self_closing_element name: (identifier) @name (#match? @name "^[A-Z]")) @ref.call
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @name)) @ref.call
(jsx_expression (identifier) @ref.value)
