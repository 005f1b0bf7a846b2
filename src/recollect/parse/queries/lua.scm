;;; grammar = "tree_sitter_lua"
;;; extensions = [".lua"]
;;; shebangs = ["lua", "luajit"]
;;; line_comments = ["---", "--"]
;;; block_comments = [["--[[", "]]"]]
;;; self_words = ["self"]
;;; super_words = []
;;; separators = [":"]
;;; visibility = "words"
;;; visibility_words = { local = "private" }
;;; values = "declared"
;;; builtins = ["nil", "true", "false", "_G", "_"]
;;; test_paths = ["(^|/)(tests?|spec)/", "[_.](spec|test)\\.lua$", "(^|/)test_[^/]*\\.lua$"]
;;; test_names = ["^test_"]

(variable_declaration (assignment_statement (variable_list name: (identifier) @import.alias) (expression_list value: (function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import.module)))) (#eq? @_require "require"))) @import
(variable_declaration (assignment_statement (variable_list name: (identifier) @import.alias) (expression_list value: (dot_index_expression table: (function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import.module))) field: (identifier) @import.name)) (#eq? @_require "require"))) @import
(chunk (function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import.module)) (#eq? @_require "require")) @import)
(function_call name: [(dot_index_expression table: (function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import.module)))) (method_index_expression table: (function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import.module))))] (#eq? @_require "require")) @import

; what makes an instance returns it
(function_declaration name: [(identifier) @name (dot_index_expression table: (_) @owner field: (identifier) @name)] parameters: (parameters) @params
  body: (block (return_statement (expression_list (function_call name: (identifier) @_set arguments: (arguments (_) . (identifier) @returns))))) @body (#eq? @_set "setmetatable")) @def.function
(function_declaration name: [(identifier) @name (dot_index_expression table: (_) @owner field: (identifier) @name)] parameters: (parameters) @params
  body: (block (variable_declaration (assignment_statement (expression_list value: (function_call name: (identifier) @_set arguments: (arguments (_) . (identifier) @returns)))))) @body (#eq? @_set "setmetatable")) @def.function
(function_declaration name: [(identifier) @name
                             (dot_index_expression table: (_) @owner field: (identifier) @name)
                             (method_index_expression table: (_) @owner method: (identifier) @name)] parameters: (parameters) @params body: (_)? @body) @def.function
(variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition parameters: (parameters) @params body: (_)? @body)))) @def.function
(assignment_statement (variable_list . name: [(identifier) @name (dot_index_expression table: (_) @owner field: (identifier) @name)]) (expression_list . value: (function_definition parameters: (parameters) @params body: (_)? @body))) @def.function
(assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @instance field: (identifier) @name)) (#eq? @instance "self")) @def.field
(field name: (identifier) @name value: (function_definition parameters: (parameters) @params body: (_)? @body)) @def.function
(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (table_constructor) @body))) @def.object)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @def.variable)
(chunk (assignment_statement (variable_list name: (dot_index_expression table: (identifier) @owner field: (identifier) @name))) @def.field)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @def.variable)
(function_call name: (identifier) @_test arguments: (arguments . (string content: (_) @name) (function_definition body: (_)? @body)) (#any-of? @_test "describe" "it" "context" "test" "pending" "insulate")) @def.test

(function_call name: [(identifier) @name
                      (dot_index_expression table: (_) @receiver field: (identifier) @name)
                      (method_index_expression table: (_) @receiver method: (identifier) @name)] arguments: (arguments) @args) @ref.call
(dot_index_expression table: (_) @receiver field: (identifier) @name) @ref.field
(expression_list value: (identifier) @ref.value)
(field value: (identifier) @ref.value)

(assignment_statement (variable_list . name: [(identifier) (dot_index_expression)] @bind.name) (expression_list . value: [(function_call) (identifier) (dot_index_expression)] @bind.value)) @bind
(assignment_statement (variable_list . name: (identifier) @bind.name) (expression_list . value: (function_call name: (identifier) @_set arguments: (arguments (_) . (identifier) @bind.type))) (#eq? @_set "setmetatable")) @bind
(for_generic_clause (variable_list (identifier) . (identifier) @bind.name) (expression_list (function_call arguments: (arguments . [(function_call) (identifier) (dot_index_expression)] @bind.each)))) @bind
