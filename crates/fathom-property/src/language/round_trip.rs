//! What is printed reads back as the same: random trees.

use super::parser::{Declaration, parse};
use super::suffix::SUFFIXES;
use super::text_span::TextSpan;
use super::tree::{
    Argument, Bound, BuiltIn, Function, Interval, Kind, Literal, Node, Operator, RunName,
};
use super::{Header, Property};
use crate::formula::{Edge, Relation};
use proptest::prelude::*;
use proptest::sample::select;

fn node(kind: Kind) -> Node {
    Node::new(kind, TextSpan::default())
}

fn name() -> impl Strategy<Value = String> {
    let special =
        ["ipc", "system.cpu.0.ipc", "dist::total", "L1-misses", "F", "runs", "time", "at"];
    let odd = [
        "a \"b\"",
        "back\\slash",
        "漢字",
        "count",
        "rise",
        "from",
        "inf",
        "x",
        "s",
        "5",
        "P",
        "µs",
    ];
    let known = select([&special[..], &odd[..]].concat()).prop_map(String::from);
    prop_oneof![4 => known, 1 => "[^\\pC]{1,6}"]
}

fn run_name() -> impl Strategy<Value = RunName> {
    prop_oneof![Just("1".to_string()), Just("base".to_string()), name()]
        .prop_map(|name| RunName { name, place: TextSpan::default() })
}

fn literal() -> impl Strategy<Value = Literal> {
    let digits = prop_oneof![
        "(0|[1-9][0-9]{0,5})(\\.[0-9]{1,5})?",
        "[1-9][0-9]{0,2}(\\.[0-9]{1,2})?e-?[0-9]{1,2}"
    ];
    let unit = proptest::option::of(0..SUFFIXES.len());
    (digits, unit)
        .prop_map(|(digits, unit)| Literal { digits, unit: unit.and_then(|i| SUFFIXES.get(i)) })
}

fn interval(is_window: bool) -> impl Strategy<Value = Interval> {
    let bound = |may_be_infinite: bool| {
        (literal(), any::<bool>(), any::<bool>()).prop_map(
            move |(number, is_negative, is_infinite)| {
                let is_infinite = is_infinite && may_be_infinite;
                Bound {
                    is_negative: is_negative && is_window && !is_infinite,
                    number: (!is_infinite).then_some(number),
                    place: TextSpan::default(),
                }
            },
        )
    };
    (any::<bool>(), bound(false), bound(true), any::<bool>()).prop_map(
        move |(includes_from, from, to, includes_to)| Interval {
            includes_from: includes_from || is_window,
            includes_to: includes_to && to.number.is_some(),
            from,
            to,
            place: TextSpan::default(),
        },
    )
}

fn leaf() -> impl Strategy<Value = Node> {
    let run = || proptest::option::of(run_name());
    prop_oneof![
        literal().prop_map(|number| node(Kind::Number(number))),
        any::<bool>().prop_map(|truth| node(Kind::Truth(truth))),
        (name(), run()).prop_map(|(name, run)| node(Kind::Name { name, run })),
        (select(&BuiltIn::ALL[..]), run())
            .prop_map(|(built_in, run)| node(Kind::BuiltIn { built_in, run })),
    ]
}

/// A chain in one direction.
fn relations() -> impl Strategy<Value = Vec<Relation>> {
    let up = select(vec![Relation::Less, Relation::AtMost]);
    let down = select(vec![Relation::Greater, Relation::AtLeast]);
    prop_oneof![
        proptest::collection::vec(up, 1..4),
        proptest::collection::vec(down, 1..4),
        proptest::collection::vec(Just(Relation::Equal), 1..4),
        Just(vec![Relation::Unequal]),
    ]
}

fn event(inner: impl Strategy<Value = Node> + Clone + 'static) -> impl Strategy<Value = Node> {
    let plain = prop_oneof![
        (name(), proptest::option::of(run_name()))
            .prop_map(|(name, run)| node(Kind::Name { name, run })),
        (any::<bool>(), inner.clone()).prop_map(|(rises, inner)| {
            node(Kind::Edge(if rises { Edge::Rise } else { Edge::Fall }, Box::new(inner)))
        }),
    ];
    (plain, proptest::option::of(inner)).prop_map(|(event, condition)| match condition {
        Some(condition) => {
            node(Kind::Where { event: Box::new(event), condition: Box::new(condition) })
        }
        None => event,
    })
}

fn argument(
    inner: impl Strategy<Value = Node> + Clone + 'static,
) -> impl Strategy<Value = Argument> {
    prop_oneof![
        inner.clone().prop_map(Argument::Plain),
        (name(), event(inner)).prop_map(|(attribute, event)| Argument::Of {
            attribute,
            place: TextSpan::default(),
            event
        }),
    ]
}

fn tree() -> impl Strategy<Value = Node> {
    leaf().prop_recursive(6, 60, 3, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let operator = select(vec![
            Operator::Iff,
            Operator::Implies,
            Operator::Or,
            Operator::And,
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
            Operator::Divide,
            Operator::Power,
        ]);
        let future = || proptest::option::of(interval(false));
        let window = || proptest::option::of(interval(true));
        prop_oneof![
            2 => boxed().prop_map(|inner| node(Kind::Not(inner))),
            2 => boxed().prop_map(|inner| node(Kind::Negate(inner))),
            10 => (operator, boxed(), boxed())
                .prop_map(|(operator, left, right)| node(Kind::Binary(operator, left, right))),
            3 => (boxed(), relations(), proptest::collection::vec(inner.clone(), 3)).prop_map(
                |(first, relations, rest)| {
                    node(Kind::Compare(first, relations.into_iter().zip(rest).collect()))
                }
            ),
            3 => (any::<bool>(), future(), boxed()).prop_map(|(is_always, interval, operand)| {
                node(Kind::Temporal { is_always, interval, operand })
            }),
            3 => (boxed(), any::<bool>(), future(), boxed()).prop_map(
                |(left, is_weak, interval, right)| node(Kind::Until {
                    left,
                    is_weak,
                    interval,
                    right
                })
            ),
            1 => (window(), boxed(), proptest::option::of(event(inner.clone()))).prop_map(
                |(interval, body, at)| node(Kind::Share { interval, body, at: at.map(Box::new) })
            ),
            1 => (
                select(&Function::ALL[..]),
                window(),
                proptest::collection::vec(argument(inner.clone()), 1..4)
            )
                .prop_map(|(function, interval, arguments)| {
                    let interval = interval.filter(|_| function.may_have_window());
                    node(Kind::Call { function, interval, arguments })
                }),
            1 => (run_name(), run_name(), proptest::option::of(boxed()))
                .prop_map(|(base, new, metric)| node(Kind::Speedup { base, new, metric })),
            1 => event(inner.clone()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_tree_that_is_printed_reads_back(
        node in tree(),
        runs in proptest::collection::vec((run_name(), proptest::option::of(run_name())), 0..3),
    ) {
        let mut header: Vec<Declaration> = Vec::new();
        for (run, from) in runs {
            if !header.iter().any(|other| other.run.name == run.name) {
                header.push(Declaration { run, from });
            }
        }
        let text = format!("{}{node}", Header(&header));
        let (runs_again, again) = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}")))?;
        prop_assert_eq!(&again, &node, "{}", text);
        prop_assert_eq!(&runs_again, &header);
        // What is canonical stays so.
        prop_assert_eq!(Property::parse(&text).unwrap().to_string(), text);
    }
}
