;;; grammar = "tree_sitter_bash"
;;; extensions = [".sh", ".bash", ".bats"]
;;; shebangs = ["sh", "bash", "zsh", "dash", "ksh", "bats"]
;;; line_comments = ["#"]
;;; self_words = []
;;; super_words = []
;;; visibility = "underscore"
;;; values = "none"
;;; rewrites = [
;;;   ['''(?m)^([ \t]*)@test([ \t]+(?:"[^"\n]*"|'[^'\n]*')[ \t]*)\{''', '''\1{    \2;'''],
;;;   ['''(?m)^([ \t]*)@test([ \t]*)[ \t]([^"'\s{][^"'\n{]*?)[ \t]([ \t]*)\{''', '''\1{    \2"\3"\4;'''],
;;; ]
;;; test_paths = ["(^|/)tests?/", "\\.bats$", "(^|/)test_[^/]*\\.(sh|bash)$", "_test\\.(sh|bash)$"]
;;; test_names = ["^test_"]

(command name: (command_name (word) @import.wildcard) . argument: [(word) (string) (raw_string) (concatenation)] @import.module (#any-of? @import.wildcard "source" "." "load" "bats_load_library")) @import

(function_definition name: (word) @name body: (_) @body) @def.function
(compound_statement . (command name: (command_name [(string (string_content)) (raw_string)] @name)) . (_) @body) @def.test
(program (variable_assignment name: (variable_name) @name) @def.variable)
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @def.constant)
(program (declaration_command (word) @_flag (variable_assignment name: (variable_name) @name) (#match? @_flag "^-[a-zA-Z]*r")) @def.constant)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @def.variable)

(command name: (command_name (word) @name)) @ref.call
(command name: (command_name (word) @_runs) . argument: (word) @name (#any-of? @_runs "run" "trap" "command" "exec" "sudo" "time" "xargs" "env" "nohup" "eval")) @ref.call
