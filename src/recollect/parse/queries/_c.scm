;;; line_comments = ["///", "//!", "//"]
;;; block_comments = [["/*", "*/"]]
;;; self_words = ["this"]
;;; super_words = []
;;; visibility_default = "public"
;;; values = "any"
;;; type_noise = ["struct ", "union ", "enum ", "const ", "volatile ", "extern ", "static "]
;;; rewrites = [
;;;   # Macros before a declaration (`UV_EXTERN int f(void);`) or alone on a line, comments in macros, calling conventions.
;;;   ['''(?m)^[ \t]*[A-Z][A-Z0-9]*_[A-Z0-9_]*(?=[ \t]+(?:template[ \t]*<|(?:(?:const|extern|inline|signed|static|struct|enum|union|unsigned|friend|virtual)[ \t]+)*[A-Za-z_][\w:]*(?:<[^;{}()\n]*>)?[ \t*&]+(?:[A-Za-z_]|operator\b)))''', ''],
;;;   ['''(?m)^[A-Z][A-Z0-9]*_[A-Z0-9_]*[ \t]*$''', ''],
;;;   ['''(?m)^[ \t]*[A-Z][A-Z0-9_]*\([A-Z]+\)[ \t]*$''', ''],
;;;   ['''(?m)^[ \t]+(?:Q_OBJECT|Q_GADGET|PyObject_(?:VAR_)?HEAD|[A-Z][A-Z0-9_]*_(?:FIELDS|MEMBERS))[ \t]*$''', ''],
;;;   ['''(?m)/\*[^*\n]*\*/(?=[ \t]*\\$)''', ''],
;;;   ['''(?:(?<=\bclass )|(?<=\bstruct ))[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:\([^()\n]*\))?(?=[ \t]+[A-Za-z_][\w:]*\s*(?:final\b|[:{<]))''', ''],
;;;   # A macro around the head of a function: `UNUSED(static void f(int a)) {`.
;;;   ['''(?m)^([A-Z][A-Z0-9]*_[A-Z0-9_]*\([\w \t\n*]*[ \t*]\w+\([^(){};]*\))\)(?=\s*\{)''', '\1 '],
;;;   ['''(?m)^[A-Z][A-Z0-9]*_[A-Z0-9_]*\((?=[\w \t\n*]*[ \t*]\w+\([^(){};]*\) \s*\{)''', ''],
;;;   ['''\b(?:WINAPI|CALLBACK|APIENTRY|NTAPI|PASCAL)(?=[ \t]+[A-Za-z_]|[ \t]*\*)''', ''],
;;; ]
(preproc_include path: (_) @import.module) @import

; functions, with or without a body
(function_definition type: (_) @returns declarator: [
    (_ declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
    (_ declarator: [
      (_ declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
      (_ declarator: (_ declarator: (identifier) @name parameters: (_) @params))])]
  body: (_) @body) @def.function
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params))))
  body: (_) @body) @def.function
(function_definition type: (type_identifier) @_macro declarator: (parenthesized_declarator (identifier) @name) body: (_) @body
  (#match? @_macro "^TEST")) @def.test
(function_definition type: (type_identifier) declarator: (parenthesized_declarator (identifier) @name) body: (_) @body) @def.function
(declaration type: (_) @returns declarator: [
    (_ declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
    (_ declarator: [
      (_ declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
      (_ declarator: (_ declarator: (identifier) @name parameters: (_) @params))])]) @def.function @toplevel

(ERROR [(function_declarator declarator: (identifier) @name parameters: (_) @params) @def.function
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params)) @def.function] @toplevel (#not-match? @name "^[A-Z][A-Z0-9_]*$"))

; what is defined outside of functions
(translation_unit (declaration (type_qualifier "const") type: (_) @returns declarator: (init_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])) @def.constant)
(declaration_list (declaration (type_qualifier "const") type: (_) @returns declarator: (init_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])) @def.constant)
(translation_unit (declaration type: (_) @returns declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: (identifier) @name)])])]) @def.variable)
(declaration_list (declaration type: (_) @returns declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: (identifier) @name)])])]) @def.variable)
(preproc_ifdef (declaration type: (_) @returns declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: (identifier) @name)])])]) @def.variable @toplevel)
(preproc_if (declaration type: (_) @returns declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: (identifier) @name)])])]) @def.variable @toplevel)
(preproc_else (declaration type: (_) @returns declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: [(identifier) @name (_ !parameters declarator: (identifier) @name)])])]) @def.variable @toplevel)
(declaration type: (_) @returns declarator: [
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (_) @name)))
    (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))]) @def.variable @toplevel

; types
(struct_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @def.struct
(union_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @def.union
(enum_specifier name: (type_identifier) @name body: (enumerator_list) @body) @def.enum
(type_definition type: (struct_specifier !name body: (field_declaration_list) @body) declarator: (type_identifier) @name) @def.struct
(type_definition type: (union_specifier !name body: (field_declaration_list) @body) declarator: (type_identifier) @name) @def.union
(type_definition type: (enum_specifier !name body: (enumerator_list) @body) declarator: (type_identifier) @name) @def.enum
(type_definition type: [(struct_specifier name: (type_identifier) @base.extends !body) (union_specifier name: (type_identifier) @base.extends !body) (enum_specifier name: (type_identifier) @base.extends !body) (type_identifier) @base.extends]
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)] (#not-eq? @name @base.extends)) @def.type
(type_definition type: [(struct_specifier name: (type_identifier) @base.extends body: (_)) (union_specifier name: (type_identifier) @base.extends body: (_)) (enum_specifier name: (type_identifier) @base.extends body: (_))]
  declarator: [(type_identifier) @name @def.type (pointer_declarator declarator: (type_identifier) @name) @def.type] (#not-eq? @name @base.extends))
(type_definition type: [(primitive_type) (sized_type_specifier)] declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]) @def.type
(type_definition declarator: [(function_declarator declarator: [(type_identifier) @name (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))])
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))
  (array_declarator declarator: (type_identifier) @name)]) @def.type
(enumerator name: (identifier) @name) @def.enum_member
(field_declaration type: (_) @returns declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))]) @def.field
(preproc_def name: (identifier) @name value: (_)) @def.constant
(preproc_function_def name: (identifier) @name parameters: (preproc_params) @params value: (_)? @body) @def.macro

; uses
(field_expression argument: (_) @receiver field: (field_identifier) @name) @ref.field
(type_identifier) @ref.type
(initializer_list (identifier) @ref.value)
(initializer_pair value: (identifier) @ref.value)
(assignment_expression right: (identifier) @ref.value)
(init_declarator value: (identifier) @ref.value)
(return_statement (identifier) @ref.value)
(case_statement value: (identifier) @ref.value)
(binary_expression (identifier) @ref.value)
(pointer_expression argument: (identifier) @ref.value)
(array_declarator size: (identifier) @ref.value)

; what names are declared to be
(parameter_declaration type: (_) @bind.type declarator: [(identifier) @bind.name (_ !parameters declarator: [(identifier) @bind.name (_ !parameters declarator: (identifier) @bind.name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @bind.name)))]) @bind
(declaration type: (_) @bind.type declarator: [(identifier) @bind.name (_ !parameters declarator: [(identifier) @bind.name (_ !parameters declarator: [(identifier) @bind.name (_ !parameters declarator: (identifier) @bind.name)])])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @bind.name)))]) @bind
(field_declaration type: (_) @bind.type declarator: [(field_identifier) @bind.name (_ !parameters declarator: [(field_identifier) @bind.name (_ !parameters declarator: (field_identifier) @bind.name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @bind.name)))]) @bind
