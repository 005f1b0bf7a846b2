;;; grammar = "tree_sitter_ruby"
;;; extensions = [".rb", ".rake", ".gemspec", ".ru"]
;;; filenames = ["Rakefile", "Gemfile", "Guardfile", "Capfile", "Vagrantfile"]
;;; shebangs = ["ruby"]
;;; line_comments = ["#"]
;;; block_comments = [["=begin", "=end"]]
;;; self_words = ["self"]
;;; super_words = ["super"]
;;; field_sigils = ["@@", "@"]
;;; visibility = "sections"
;;; visibility_default = "public"
;;; visibility_words = { private = "private", protected = "protected", public = "public" }
;;; member_visibility = { scope = "public" }
;;; sigils = [":"]
;;; values = "declared"
;;; constructors = ["initialize"]
;;; builtins = ["private", "protected", "public", "module_function", "__FILE__", "__dir__", "__method__", "binding", "true", "false", "nil"]
;;; test_paths = ["(^|/)(spec|test|tests|features)/", "_(spec|test)\\.rb$"]
;;; test_names = ["^test_"]

(call !receiver method: (identifier) @_require arguments: (_ (string) @import.module) (#any-of? @_require "require" "require_relative" "load" "autoload")) @import

(module name: (constant) @name body: (_)? @body) @def.module
(module name: (scope_resolution scope: (_) @owner name: (constant) @name) body: (_)? @body) @def.module
(class name: (constant) @name superclass: (superclass (_) @base.extends)? body: (_)? @body) @def.class
(class name: (scope_resolution scope: (_) @owner name: (constant) @name) superclass: (superclass (_) @base.extends)? body: (_)? @body) @def.class
(singleton_class value: (self)) @scope
(assignment left: (constant) @name right: (_ receiver: (constant) @_class method: (identifier) @_new arguments: (_ . [(constant) (scope_resolution)] @base.extends)? block: (_)? @body) (#any-of? @_class "Class" "Module")) @def.class
(assignment left: (constant) @name right: (_ receiver: (constant) @_struct method: (identifier) block: (_)? @body) (#any-of? @_struct "Struct" "Data")) @def.class
(assignment left: (constant) right: (_ receiver: (constant) @_struct method: (identifier) arguments: (_ (simple_symbol) @name @def.property)) (#any-of? @_struct "Struct" "Data"))
(assignment left: (constant) @name) @def.constant
(method name: (_) @name parameters: (method_parameters)? @params body: (_)? @body) @def.function
(singleton_method name: (_) @name parameters: (method_parameters)? @params body: (_)? @body) @def.function
(call !receiver method: (identifier) @_word arguments: (_ (method) @wrapped) (#any-of? @_word "private" "protected" "public" "private_class_method" "module_function" "memoize")) @wrap
(alias name: (identifier) @name) @def.method
(call !receiver method: (identifier) @_word arguments: (_ . (simple_symbol) @name) (#any-of? @_word "alias_method" "define_method" "scope")) @def.method
(call !receiver method: (identifier) @_word arguments: (_ . (simple_symbol) @name) (#any-of? @_word "has_many" "has_one" "belongs_to" "has_and_belongs_to_many")) @def.property
(call !receiver method: (identifier) @_word arguments: (_ . (simple_symbol) @name .) (#any-of? @_word "attr_accessor" "attr_reader" "attr_writer" "cattr_accessor" "mattr_accessor" "class_attribute")) @def.property
(call !receiver method: (identifier) @_word arguments: (_ (simple_symbol) @name @def.property) (#any-of? @_word "attr_accessor" "attr_reader" "attr_writer" "cattr_accessor" "mattr_accessor" "class_attribute" "delegate"))
(call !receiver method: (identifier) @_word arguments: (_ . (_) (simple_symbol) @name @def.property) (#any-of? @_word "def_delegators" "def_delegator"))
(call method: (identifier) @_word arguments: (_ . [(string) (constant) (scope_resolution)] @name) block: (_) @body (#any-of? @_word "describe" "context" "it" "test" "specify" "should" "feature" "scenario" "shared_examples")) @def.test
(body_statement (call !receiver method: (identifier) @_mix arguments: (_ (_) @base.implements) (#any-of? @_mix "include" "extend" "prepend")) @inherits)

(body_statement (identifier) @section (#any-of? @section "private" "protected" "public"))

(call receiver: (_)? @receiver method: (_) @name arguments: (argument_list)? @args) @ref.call
[(body_statement (identifier) @name) (block_body (identifier) @name) (then (identifier) @name) (else (identifier) @name) (ensure (identifier) @name) (do (identifier) @name) (interpolation (identifier) @name)
 (assignment right: (identifier) @name) (operator_assignment right: (identifier) @name) (call receiver: (identifier) @name) (element_reference object: (identifier) @name) (binary (identifier) @name) (unary operand: (identifier) @name)
 (if condition: (identifier) @name) (unless condition: (identifier) @name) (if_modifier (identifier) @name) (unless_modifier (identifier) @name) (conditional (identifier) @name) (case value: (identifier) @name)
 (argument_list (identifier) @name) (pair value: (identifier) @name) (array (identifier) @name) (splat_argument (identifier) @name) (in (identifier) @name) (method body: (identifier) @name) (parenthesized_statements (identifier) @name)] @ref.call @bare
(super) @name @ref.call @bare
(element_reference object: (constant) @receiver . (string) @literal) @ref.field
(scope_resolution scope: (_) @receiver name: (constant) @name) @ref.field
(argument_list (constant) @ref.value)
(assignment right: (constant) @ref.value)
(call receiver: (constant) @ref.value)
(call !receiver method: (identifier) @_word arguments: (_ (simple_symbol) @ref.value) (#match? @_word "^((before|after|around)(_.*)?|validate|helper_method|rescue_from|send|public_send|__send__|method|set_callback|private_class_method)$"))
(rescue exceptions: (exceptions (constant) @ref.type))
(call !receiver method: (identifier) @_raise arguments: (_ . [(constant) @name
                                                                         (scope_resolution scope: (_) @receiver name: (constant) @name)
                                                                         (call receiver: (constant) @name)
                                                                         (call receiver: (scope_resolution scope: (_) @receiver name: (constant) @name))]) (#any-of? @_raise "raise" "fail")) @ref.throw

(assignment left: [(identifier) (instance_variable) (class_variable) (constant)] @bind.name right: [(call) (constant) (identifier) (scope_resolution) (instance_variable)] @bind.value) @bind
(operator_assignment left: [(identifier) (instance_variable) (class_variable)] @bind.name right: [(call) (constant)] @bind.value) @bind
(assignment left: (identifier) @bind.name) @bind
(left_assignment_list (identifier) @bind.name) @bind
(block_parameters (identifier) @bind.name) @bind
(block_parameters (optional_parameter name: (identifier) @bind.name)) @bind
(lambda_parameters (identifier) @bind.name) @bind
(for pattern: (identifier) @bind.name value: (in (_) @bind.each)) @bind
(call receiver: [(identifier) (instance_variable) (call)] @bind.each method: (identifier) @_each block: (_ parameters: (block_parameters . (identifier) @bind.name .)) (#any-of? @_each "each" "map" "select" "reject" "find" "flat_map" "filter_map" "any?" "all?")) @bind
(rescue exceptions: (exceptions . [(constant) (scope_resolution)] @bind.type .) variable: (exception_variable (identifier) @bind.name)) @bind
(exception_variable (identifier) @bind.name) @bind
