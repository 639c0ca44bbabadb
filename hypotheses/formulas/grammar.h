#pragma once

#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>

/// What may be written as a formula (docs/reference/formulas.md), and what is told where something
/// else is.
namespace cuvier::grammar {
namespace parse_tree = tao::pegtl::parse_tree;
using tao::pegtl::digit;
using tao::pegtl::eof;
using tao::pegtl::identifier;
using tao::pegtl::identifier_other;
using tao::pegtl::if_must;
using tao::pegtl::must;
using tao::pegtl::must_if;
using tao::pegtl::normal;
using tao::pegtl::not_at;
using tao::pegtl::one;
using tao::pegtl::opt;
using tao::pegtl::plus;
using tao::pegtl::seq;
using tao::pegtl::sor;
using tao::pegtl::space;
using tao::pegtl::star;
using tao::pegtl::string;

template <char... c>
using word = seq<string<c...>, not_at<identifier_other>>;
struct keyword
    : sor<word<'m', 'o', 'd'>, word<'a', 'n', 'd'>, word<'o', 'r'>, word<'n', 'o', 't'>> {};
using ws = star<space>;
template <class Rule>
using token = seq<Rule, ws>;

// Where one has to stand, an operand has a name of its own: errors are told by it.
struct any;
struct operand;
struct condition;

struct number : plus<digit> {};
struct name : seq<not_at<keyword>, identifier> {};
struct closing : one<')'> {};
struct group : if_must<token<one<'('>>, any, star<if_must<token<one<','>>, any>>, token<closing>> {
};
struct call : seq<token<name>, opt<group>> {};
struct minus : if_must<token<one<'-'>>, operand> {};
struct unary : sor<minus, token<number>, call, group> {};
struct operand : seq<unary> {};

struct product_operator : sor<one<'*', '/'>, word<'m', 'o', 'd'>> {};
struct product : seq<unary, star<if_must<token<product_operator>, operand>>> {};
struct term : seq<product> {};
struct sum_operator : one<'+', '-'> {};
struct sum : seq<product, star<if_must<token<sum_operator>, term>>> {};
struct compared : seq<sum> {};
struct comparison_operator
    : sor<string<'<', '='>, string<'>', '='>, string<'=', '='>, string<'!', '='>, one<'<', '>'>> {};
struct comparison : seq<sum, opt<if_must<token<comparison_operator>, compared>>> {};

struct negation : if_must<token<word<'n', 'o', 't'>>, condition> {};
struct literal : sor<negation, comparison> {};
struct condition : seq<literal> {};
struct both : seq<literal, star<if_must<token<word<'a', 'n', 'd'>>, condition>>> {};
struct conjunction : seq<both> {};
struct either : seq<both, star<if_must<token<word<'o', 'r'>>, conjunction>>> {};
struct colon : one<':'> {};
struct choice : seq<either, opt<if_must<token<one<'?'>>, any, token<colon>, any>>> {};
struct any : seq<choice> {};
struct end : eof {};
struct formula : must<ws, any, end> {};

template <class Rule>
inline constexpr const char* message = nullptr;
template <>
inline constexpr auto message<any> = "a number, a name, a function or ( may stand here";
template <>
inline constexpr auto message<operand> = message<any>;
template <>
inline constexpr auto message<term> = message<any>;
template <>
inline constexpr auto message<compared> = message<any>;
template <>
inline constexpr auto message<condition> = "a condition may stand here";
template <>
inline constexpr auto message<conjunction> = message<condition>;
template <>
inline constexpr auto message<token<closing>> = "an operator, a comma or ) may stand here";
template <>
inline constexpr auto message<token<colon>> = "an operator or : may stand here";
template <>
inline constexpr auto message<end> = "an operator or the end may stand here";

struct Messages {
  template <class Rule>
  static constexpr const char* message = grammar::message<Rule>;
};
template <class Rule>
using control = must_if<Messages, normal, false>::control<Rule>;

template <class Rule>
using selector = parse_tree::selector<
    Rule,
    parse_tree::store_content::on<number, name, product_operator, sum_operator,
                                  comparison_operator>,
    parse_tree::fold_one::on<product, sum, comparison, both, either, choice, group, call>,
    parse_tree::remove_content::on<minus, negation>>;
}  // namespace cuvier::grammar
