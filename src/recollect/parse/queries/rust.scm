;;; grammar = "tree_sitter_rust"
;;; extensions = [".rs"]
;;; line_comments = ["///", "//!", "//"]
;;; block_comments = [["/*", "*/"]]
;;; self_words = ["self"]
;;; super_words = []
;;; visibility = "words"
;;; visibility_default = "private"
;;; visibility_words = { "pub(crate)" = "internal", "pub(super)" = "internal", "pub(self)" = "private", "pub(in)" = "internal", "pub" = "public" }
;;; member_visibility = { trait = "public", enum = "public", enum_member = "public", scope = "public" }
;;; values = "any"
;;; module_alias = "last"
;;; wrappers = ["Box", "Arc", "Rc", "Option", "Result", "RefCell", "Cell", "Mutex", "RwLock", "Cow", "Pin", "Lazy", "LazyLock", "OnceCell", "Weak"]
;;; collections = ["Vec", "VecDeque", "HashSet", "BTreeSet", "HashMap", "BTreeMap", "Iterator", "IntoIterator"]
;;; type_noise = ["&", "mut", "dyn", "impl", "const", "*", "'static", "'a", "'_"]
;;; builtins = ["str", "String", "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "_", "Vec", "Option", "Box", "Arc", "Rc", "Fn", "FnMut", "FnOnce", "Send", "Sync", "Copy", "Sized", "Self", "Some", "None", "Ok", "Err", "true", "false"]
;;; test_paths = ["(^|/)tests?/", "_test\\.rs$", "(^|/)tests\\.rs$", "(^|/)benches/"]
;;; test_names = ["^tests$"]
;;; test_decorators = ["(^|\\.)(test|rstest|bench|test_case|proptest)$"]

(use_declaration argument: (_) @import.tree) @import
(extern_crate_declaration name: (identifier) @import.module alias: (identifier)? @import.alias) @import

(function_item name: (identifier) @name parameters: (parameters) @params return_type: (_)? @returns body: (block) @body) @def.function
(function_signature_item name: (identifier) @name parameters: (parameters) @params return_type: (_)? @returns) @def.function
(struct_item name: (type_identifier) @name body: (field_declaration_list)? @body) @def.struct
(union_item name: (type_identifier) @name body: (_) @body) @def.union
(enum_item name: (type_identifier) @name body: (enum_variant_list) @body) @def.enum
(enum_variant name: (identifier) @name body: (field_declaration_list)? @body) @def.enum_member
(trait_item name: (type_identifier) @name body: (declaration_list) @body) @def.trait
(trait_item bounds: (trait_bounds [(type_identifier) (generic_type) (scoped_type_identifier)] @base.extends)) @inherits
(impl_item trait: (_)? @base.implements type: [(type_identifier) @name (generic_type type: (type_identifier) @name) (scoped_type_identifier name: (type_identifier) @name) (reference_type type: (type_identifier) @name) (generic_type type: (scoped_type_identifier name: (type_identifier) @name))]) @scope
(mod_item name: (identifier) @name body: (declaration_list) @body) @def.module
(const_item name: (identifier) @name type: (_) @returns) @def.constant
(static_item name: (identifier) @name type: (_) @returns) @def.variable
(type_item name: (type_identifier) @name) @def.type
(associated_type name: (type_identifier) @name) @def.type
(field_declaration name: (field_identifier) @name type: (_) @returns) @def.field
(macro_definition name: (identifier) @name (macro_rule) @body) @def.macro
(macro_definition name: (identifier) @name) @def.macro
; types and tests among the tokens of a macro that stands for items (`pin_project! { pub struct X {} }`)
(source_file (macro_invocation (token_tree "pub" @def.struct . "struct" . (identifier) @name . [(token_tree) ";" "<"] @body)))
(source_file (macro_invocation (token_tree "struct" @def.struct . (identifier) @name . [(token_tree) ";" "<"] @body)))
(source_file (macro_invocation (token_tree "pub" @def.enum . "enum" . (identifier) @name . [(token_tree) "<"] @body)))
(source_file (macro_invocation (token_tree "enum" @def.enum . (identifier) @name . [(token_tree) "<"] @body)))
(source_file (macro_invocation (token_tree "fn" @def.function . (identifier) @name . (token_tree) @params . (token_tree) @body)))
(attribute_item) @skip
(macro_definition) @skip

(call_expression function: [(identifier) @name
                            (field_expression value: (_) @receiver field: (field_identifier) @name)
                            (scoped_identifier path: (_)? @receiver name: (identifier) @name)
                            (generic_function function: [(identifier) @name
                                                         (field_expression value: (_) @receiver field: (field_identifier) @name)
                                                         (scoped_identifier path: (_)? @receiver name: (identifier) @name)])]
                 arguments: (arguments) @args) @ref.call
(struct_expression name: [(type_identifier) @name (scoped_type_identifier path: (_) @receiver name: (type_identifier) @name) (generic_type_with_turbofish type: (_) @name)]) @ref.call
(macro_invocation macro: [(identifier) @name (scoped_identifier path: (_) @receiver name: (identifier) @name)]) @ref.call
; calls among the tokens of a macro: `x.f()`, `x.y.f()`, `g().f()`, `x.g().f()`; the longest receiver counts
(token_tree [(identifier) (self)] @receiver . ["." "::"] . (identifier) @name . (token_tree) @args @adjacent) @ref.call
(token_tree [(identifier) (self)] @receiver . ["." "::"] . (identifier) @receiver . ["." "::"] . (identifier) @name . (token_tree) @args @adjacent) @ref.call
(token_tree (identifier) @receiver . (token_tree) @receiver . "." . (identifier) @name . (token_tree) @args @adjacent) @ref.call
(token_tree [(identifier) (self)] @receiver . ["." "::"] . (identifier) @receiver . (token_tree) @receiver . "." . (identifier) @name . (token_tree) @args @adjacent) @ref.call
(token_tree (identifier) @name . (token_tree) @args @adjacent) @ref.call
(attribute_item (attribute [(identifier) @name (scoped_identifier path: (_) @receiver name: (identifier) @name)] arguments: (token_tree)? @args)) @ref.decorate
(field_expression value: (_) @receiver field: (field_identifier) @name) @ref.field
[(type_identifier) (scoped_type_identifier) (generic_type)] @ref.type
(macro_invocation (token_tree (identifier) @ref.value))
(arguments (scoped_identifier path: (_) @receiver name: (identifier) @name) @ref.field)
(field_initializer value: (identifier) @ref.value)
(let_declaration value: (identifier) @ref.value)

; a parameter of a generic type is what bounds that type
(function_item type_parameters: (type_parameters (type_parameter name: (type_identifier) @_generic bounds: (trait_bounds . [(type_identifier) (scoped_type_identifier) (generic_type)] @bind.type)))
  parameters: (parameters (parameter pattern: (identifier) @bind.name type: [(type_identifier) @_type (reference_type type: (type_identifier) @_type)])) (#eq? @_type @_generic)) @bind
(function_item parameters: (parameters (parameter pattern: (identifier) @bind.name type: [(type_identifier) @_type (reference_type type: (type_identifier) @_type)]))
  (where_clause (where_predicate left: (type_identifier) @_generic bounds: (trait_bounds . [(type_identifier) (scoped_type_identifier) (generic_type)] @bind.type))) (#eq? @_type @_generic)) @bind
(parameter pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(let_declaration pattern: (identifier) @bind.name type: (_) @bind.type) @bind
(let_declaration pattern: (identifier) @bind.name value: [(call_expression) (struct_expression) (identifier) (field_expression) (reference_expression) (try_expression) (await_expression)] @bind.value) @bind
(for_expression pattern: (identifier) @bind.name value: [(call_expression) (identifier) (field_expression) (reference_expression)] @bind.each) @bind
(field_declaration name: (field_identifier) @bind.name type: (_) @bind.type) @bind
(static_item name: (identifier) @bind.name type: (_) @bind.type) @bind
