;;; grammar = "tree_sitter_python"
;;; extensions = [".py", ".pyi", ".pyw"]
;;; filenames = ["SConstruct", "SConscript", "wscript"]
;;; shebangs = ["python", "python3", "python2", "pypy3"]
;;; line_comments = ["#"]
;;; docs = "inside"
;;; self_words = ["self", "cls"]
;;; super_words = ["super()", "super"]
;;; visibility = "underscore"
;;; constructors = ["__init__", "__new__"]
;;; properties = ["property", "cached_property", "setter", "getter", "deleter"]
;;; constants = "upper"
;;; values = "declared"
;;; commands = ["run", "Popen", "call", "check_call", "check_output", "create_subprocess_exec"]
;;; module_alias = "first"
;;; relative_dots = true
;;; wrappers = ["Optional", "Annotated", "Final", "ClassVar", "Awaitable", "Type", "type", "Required", "NotRequired", "ReadOnly", "Coroutine"]
;;; collections = ["list", "List", "set", "Set", "frozenset", "FrozenSet", "tuple", "Tuple", "dict", "Dict", "Sequence", "Iterable", "Iterator", "Collection", "AsyncIterator", "AsyncIterable", "Generator", "AsyncGenerator", "Mapping", "MutableMapping", "defaultdict", "OrderedDict", "deque", "Deque"]
;;; builtins = ["True", "False", "NotImplemented", "self", "cls", "str", "int", "float", "bool", "bytes", "bytearray", "None", "object", "complex", "list", "dict", "set", "tuple", "frozenset", "type", "Any", "Optional", "Union", "List", "Dict", "Set", "Tuple", "FrozenSet", "Type", "Callable", "Iterable", "Iterator", "Sequence", "Mapping", "MutableMapping", "Literal", "ClassVar", "Final", "Annotated", "Generator", "Awaitable", "Coroutine", "AsyncIterator", "AsyncGenerator", "NoReturn", "Self"]
;;; test_paths = ["(^|/)tests?/", "(^|/)test_[^/]*\\.py$", "_test\\.py$", "(^|/)conftest\\.py$"]
;;; test_names = ["^test_", "^Test[A-Z_]"]
;;; test_decorators = ["^pytest\\."]

(function_definition name: (identifier) @name parameters: (parameters) @params return_type: (type)? @returns body: (block) @body) @def.function
(class_definition name: (identifier) @name superclasses: (argument_list)? @base.extends body: (block) @body) @def.class
(decorated_definition definition: (_) @wrapped) @wrap
(type_alias_statement . (type) @name) @def.type

(module (expression_statement (assignment left: (identifier) @name) @def.variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name @def.variable))))
(module (if_statement condition: (_) @_when [consequence: (block (expression_statement (assignment left: (identifier) @name) @def.variable)) alternative: (_ (block (expression_statement (assignment left: (identifier) @name) @def.variable)))] (#not-match? @_when "__name__")))
(module (try_statement [(block (expression_statement (assignment left: (identifier) @name right: (_) @_value) @def.variable)) (_ (block (expression_statement (assignment left: (identifier) @name right: (_) @_value) @def.variable)))] (#not-eq? @_value "None")))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @def.field)))

(assignment left: (attribute object: (identifier) @instance attribute: (identifier) @name)) @def.field

(call function: [(identifier) @name (attribute attribute: (identifier) @member)] arguments: (_) @args) @ref.call
(attribute object: (_) @receiver attribute: (identifier) @name) @ref.field
(subscript value: [(identifier) (attribute)] @receiver subscript: (string) @literal (#match? @receiver "environ$")) @ref.field
(decorator [(identifier) @name
            (attribute object: (_) @receiver attribute: (identifier) @name)
            (call function: [(identifier) @name (attribute object: (_) @receiver attribute: (identifier) @name)] arguments: (_) @args)]) @ref.decorate
(raise_statement . [(identifier) @name
                    (attribute object: (_) @receiver attribute: (identifier) @name)
                    (call function: [(identifier) @name (attribute object: (_) @receiver attribute: (identifier) @name)])]) @ref.throw
(type) @ref.type
(except_clause [(identifier) (attribute) (tuple)] @ref.type)
(except_clause (as_pattern . [(identifier) (attribute) (tuple)] @ref.type))

(assignment right: (identifier) @ref.value)
(return_statement (identifier) @ref.value)
(list (identifier) @ref.value)
(tuple (identifier) @ref.value)
(pair value: (identifier) @ref.value)
(default_parameter value: (identifier) @ref.value)

(assignment left: [(identifier) (attribute)] @bind.name type: (type) @bind.type) @bind
(assignment left: [(identifier) (attribute)] @bind.name !type right: [(call) (identifier) (attribute) (await (call))] @bind.value) @bind
(typed_parameter . (identifier) @bind.name type: (type) @bind.type) @bind
(typed_default_parameter name: (identifier) @bind.name type: (type) @bind.type) @bind
(as_pattern (call) @bind.value alias: (as_pattern_target (identifier) @bind.name)) @bind
(for_statement left: (identifier) @bind.name right: [(call) (identifier) (attribute)] @bind.each) @bind
(for_in_clause left: (identifier) @bind.name right: [(call) (identifier) (attribute)] @bind.each) @bind

(import_statement name: (dotted_name) @import.module) @import
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name) @import
(import_from_statement module_name: (_) @import.module name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.wildcard) @import
(future_import_statement) @import
