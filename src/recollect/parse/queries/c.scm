;;; include = "_c"
;;; grammar = "tree_sitter_c"
;;; extensions = [".c", ".h"]
;;; visibility = "words"
;;; visibility_words = { static = "private" }
;;; builtins = ["NULL", "nullptr", "true", "false", "size_t", "ssize_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t", "uintptr_t", "intptr_t", "ptrdiff_t", "bool", "FILE", "va_list", "wchar_t", "time_t", "off_t", "pid_t", "mode_t", "uid_t", "gid_t", "socklen_t", "errno", "stdin", "stdout", "stderr", "EOF"]
;;; test_paths = ["(^|/)tests?/", "(^|/)unittests?/", "(^|/)test[-_][^/]*\\.(c|h|cc|cpp|cxx)$", "[-_](test|tests|unittest)\\.(c|cc|cpp|cxx|h|hpp)$"]
;;; test_names = ["^test_"]

(call_expression function: [(identifier) @name
                            (field_expression argument: (_) @receiver field: (field_identifier) @name)
                            (parenthesized_expression [(identifier) @name (field_expression argument: (_) @receiver field: (field_identifier) @name)])
                            (parenthesized_expression (pointer_expression argument: [(identifier) @name (field_expression argument: (_) @receiver field: (field_identifier) @name)]))]
                 arguments: (argument_list) @args) @ref.call
(declaration type: (type_identifier) declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind.name) value: (cast_expression type: (_) @bind.type))) @bind
