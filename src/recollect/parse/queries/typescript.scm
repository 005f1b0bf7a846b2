;;; include = "_typescript"
;;; grammar = "tree_sitter_typescript"
;;; entry = "language_typescript"
;;; extensions = [".ts", ".mts", ".cts"]
;;; shebangs = ["ts-node", "tsx"]
