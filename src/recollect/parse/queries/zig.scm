;;; grammar = "tree_sitter_zig"
;;; extensions = [".zig"]
;;; line_comments = ["///", "//!", "//"]
;;; self_words = ["self"]
;;; super_words = []
;;; visibility = "words"
;;; visibility_default = "private"
;;; visibility_words = { pub = "public", export = "public", extern = "public" }
;;; member_visibility = { field = "public", enum_member = "public" }
;;; values = "declared"
;;; type_noise = ["!", "?", "*", "const", "comptime", "anyerror!"]
;;; builtins = ["u1", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f16", "f32", "f64", "bool", "void", "noreturn", "type", "anyerror", "anytype", "anyopaque", "comptime_int", "comptime_float", "c_int", "c_uint", "c_char", "c_long", "true", "false", "null", "undefined", "const", "comptime", "align", "fn", "struct", "enum", "union", "error", "volatile", "This", "_"]
;;; test_paths = ["(^|/)tests?/", "_test\\.zig$", "(^|/)tests?\\.zig$"]

(variable_declaration . (identifier) @import.alias (builtin_function (builtin_identifier) @_import (arguments (string) @import.module)) (#eq? @_import "@import")) @import
(variable_declaration . (identifier) @import.alias (field_expression object: (builtin_function (builtin_identifier) @_import (arguments (string) @import.module)) member: (identifier) @import.name) (#eq? @_import "@import")) @import
(using_namespace_declaration (builtin_function (builtin_identifier) @import.wildcard (arguments (string) @import.module))) @import

(variable_declaration . (identifier) @name [(struct_declaration) (opaque_declaration)] @body) @def.struct
(variable_declaration . (identifier) @name [(enum_declaration) (error_set_declaration)] @body) @def.enum
(variable_declaration . (identifier) @name (union_declaration) @body) @def.union
(variable_declaration . (identifier) @name (binary_expression left: (error_set_declaration) @body right: (_) @base.extends)) @def.enum
(variable_declaration . (identifier) @name (binary_expression left: (_) @base.extends right: (error_set_declaration) @body)) @def.enum
(variable_declaration . (identifier) @name [(pointer_type) (slice_type) (array_type) (nullable_type) (function_signature)] .) @def.type
(function_declaration name: (identifier) @name (parameters) @params type: (builtin_type) @_type body: (block) @body (#eq? @_type "type")) @def.struct
(function_declaration name: (identifier) @name (parameters) @params type: (_)? @returns body: (block)? @body) @def.function
(enum_declaration (container_field name: (identifier) @name) @def.enum_member (#not-eq? @name "_"))
(error_set_declaration (identifier) @name @def.enum_member)
(container_field name: (identifier) @name type: (_)? @returns (#not-eq? @name "_")) @def.field
(source_file (variable_declaration "const" . (identifier) @name) @def.constant)
(struct_declaration (variable_declaration "const" . (identifier) @name) @def.constant)
(enum_declaration (variable_declaration "const" . (identifier) @name) @def.constant)
(union_declaration (variable_declaration "const" . (identifier) @name) @def.constant)
(opaque_declaration (variable_declaration "const" . (identifier) @name) @def.constant)
(source_file (variable_declaration "var" . (identifier) @name) @def.variable)
(struct_declaration (variable_declaration "var" . (identifier) @name) @def.variable)
(test_declaration [(string) (identifier)] @name (block) @body) @def.test

(call_expression function: [(identifier) @name (field_expression object: (_) @receiver member: (identifier) @name)]) @ref.call
(return_expression (error_type (identifier) @name)) @ref.throw
(struct_initializer . [(identifier) (field_expression)] @ref.type)
(field_expression object: (_) @receiver member: (identifier) @name) @ref.field
(parameter type: (_) @ref.type)
(container_field type: [(identifier) (field_expression) (pointer_type) (nullable_type) (slice_type) (array_type) (call_expression) (error_union_type)] @ref.type)
(function_declaration type: (_) @ref.type)
(variable_declaration type: (_) @ref.type)
(call_expression (identifier) @ref.value)
(assignment_expression right: (identifier) @ref.value)
(variable_declaration . (identifier) (identifier) @ref.value .)
(return_expression (identifier) @ref.value)

(parameter name: (identifier) @bind.name type: (_) @bind.type) @bind
(container_field name: (identifier) @bind.name type: (_) @bind.type) @bind
(variable_declaration . (identifier) @bind.name type: (_) @bind.type) @bind
(variable_declaration . (identifier) @bind.name !type [(call_expression) (field_expression) (struct_initializer) (identifier) (builtin_function)] @bind.value .) @bind
(variable_declaration . (identifier) @bind.name !type [(try_expression (call_expression) @bind.value) (catch_expression . (call_expression) @bind.value)]) @bind
(for_statement [(identifier) (field_expression)] @bind.each (payload . (identifier) @bind.name)) @bind
(if_statement condition: [(call_expression) (field_expression) (identifier)] @bind.value (payload . (identifier) @bind.name)) @bind
(while_statement condition: [(call_expression) (field_expression) (identifier)] @bind.value (payload . (identifier) @bind.name)) @bind
(payload (identifier) @bind.name) @bind
