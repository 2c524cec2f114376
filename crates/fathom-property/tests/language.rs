//! From text to formulas: every production, units, executions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod language_data;

use fathom_property::{
    Aggregate, Arithmetic, Catalogue, Edge, EventAttribute, Expression, Formula, Happening,
    NameMeaning, NumberComparison, NumberFunction, Occurrence, Property, QualifiedName, Relation,
    Resolved, RunRole, Term, Window, parse_frequency,
};
use fathom_record::Unit;
use language_data::{X, Y, base_and_new, catalogue, only};
use proptest::prelude::*;

fn resolve(text: &str, systems: &[(String, Catalogue)]) -> Resolved {
    let property = Property::parse(text).unwrap_or_else(|error| panic!("{error}"));
    property.resolve(systems).unwrap_or_else(|error| panic!("{error}"))
}

fn on_x(text: &str) -> Formula {
    resolve(text, &only(X)).formula
}

fn on_y(text: &str) -> Formula {
    resolve(text, &only(Y)).formula
}

fn comparison(formula: &Formula) -> &NumberComparison {
    match formula {
        Formula::Compare(comparison) => comparison,
        other => panic!("not a comparison: {other:?}"),
    }
}

fn source(name: &str) -> QualifiedName {
    QualifiedName { run: 0, name: name.to_string() }
}

fn metric(name: &str) -> Term {
    Term::Metric(source(name))
}

fn happens(name: &str) -> Occurrence {
    Occurrence { what: Happening::Event(source(name)), condition: None }
}

fn state(name: &str) -> Box<Formula> {
    Box::new(Formula::State(source(name)))
}

fn event(name: &str) -> Box<Formula> {
    Box::new(Formula::Event(source(name)))
}

fn closed(from: f64, to: f64) -> Window {
    Window { from, to, includes_from: true, includes_to: true }
}

fn compared(
    left: Term,
    relation: Relation,
    right: Term,
    unit: &str,
    span: std::ops::Range<usize>,
) -> Formula {
    Formula::Compare(NumberComparison { left, relation, right, unit: unit.to_string(), span })
}

#[test]
fn the_nine_templates() {
    let number = Term::Number;
    assert_eq!(
        on_x("ipc >= 1.2"),
        compared(metric("ipc"), Relation::AtLeast, number(1.2), "", 0..10)
    );
    assert_eq!(
        on_x("15W > power > 10W"),
        Formula::And(
            Box::new(compared(number(15.0), Relation::Greater, metric("power"), "W", 0..11)),
            Box::new(compared(metric("power"), Relation::Greater, number(10.0), "W", 6..17)),
        )
    );
    assert_eq!(
        on_x("P(mispredict) < 20%"),
        compared(
            Term::ShareOfTime(None, state("mispredict")),
            Relation::Less,
            number(0.2),
            "",
            0..19
        )
    );
    assert_eq!(
        on_x("gap(tlb_miss) > 20cycles"),
        compared(Term::Gap(happens("tlb_miss")), Relation::Greater, number(20.0), "cycles", 0..24)
    );
    assert_eq!(
        on_x("power > 10W -> ipc > 1.4"),
        Formula::Implies(
            Box::new(compared(metric("power"), Relation::Greater, number(10.0), "W", 0..11)),
            Box::new(compared(metric("ipc"), Relation::Greater, number(1.4), "", 15..24)),
        )
    );
    let window = Window { from: 0.0, to: 25.0, includes_from: false, includes_to: true };
    assert_eq!(
        on_x("P(F(0,25cycles] error at error) < 40%"),
        compared(
            Term::ShareOfEvents(
                Box::new(Formula::Eventually(window, event("error"))),
                happens("error")
            ),
            Relation::Less,
            number(0.4),
            "",
            0..37
        )
    );
    let greatest = |event: &str| {
        let of = EventAttribute { attribute: "latency".to_string(), of: happens(event) };
        Term::OverEvents(Aggregate::Greatest, None, of)
    };
    assert_eq!(
        on_x("max(latency of R) > 50ns -> max(latency of S) > 80ns"),
        Formula::Implies(
            Box::new(compared(greatest("R"), Relation::Greater, number(50.0), "ns", 0..24)),
            Box::new(compared(greatest("S"), Relation::Greater, number(80.0), "ns", 28..52)),
        )
    );
    let until = Formula::Until {
        left: state("sprinting"),
        right: event("alert"),
        window: Window::FROM_NOW,
        is_weak: false,
    };
    let rises =
        Occurrence { what: Happening::Edge(Edge::Rise, state("sprinting")), condition: None };
    assert_eq!(
        on_x("P(sprinting U alert at rise(sprinting)) < 60%"),
        compared(
            Term::ShareOfEvents(Box::new(until), rises),
            Relation::Less,
            number(0.6),
            "",
            0..45
        )
    );
    let inner = compared(
        Term::ShareOfTime(Some(closed(-10.0, 0.0)), state("handling")),
        Relation::Greater,
        number(0.4),
        "",
        2..32,
    );
    assert_eq!(
        on_x("P(P[-10cycles,0](handling) > 40% at tlb_miss) < 30%"),
        compared(
            Term::ShareOfEvents(Box::new(inner), happens("tlb_miss")),
            Relation::Less,
            number(0.3),
            "",
            0..51
        )
    );
}

#[test]
fn synonyms_mean_the_same() {
    for (one, other) in [
        ("G[0,50] mispredict", "always[0:50] mispredict"),
        ("F mispredict", "eventually(mispredict)"),
        ("mispredict U[1,2) alert", "mispredict until[1:2) alert"),
        ("not ok and ok or ok", "! ok && ok || ok"),
        ("not ok and ok or ok", "((!ok) and ok) or ok"),
        ("ok -> ok -> ok", "ok implies (ok implies ok)"),
        ("ok <-> ok", "ok iff ok"),
        ("ipc = 1", "ipc == 1"),
        ("P(mispredict) < 0.1", "P<0.1[mispredict]"),
        ("P(mispredict) < 10%", "P<10%[mispredict]"),
        ("P(mispredict) < 0.1", "time_in(mispredict) < 10 %"),
        ("P[0,5](mispredict) < 0.1", "time_in[0:5](mispredict) < 0.1"),
        ("P(mispredict at error) >= .5", "P>=0.5[mispredict at error]"),
        ("power < 1.5 W", "power < 1.5W # a comment"),
        ("G(temp < 90degC)", "G temp < 90°C"),
        ("\"ipc\" > 1", "ipc > 1"),
        ("G(mispredict)", "G[0,inf) mispredict"),
        ("G(mispredict)", "G[0,inf] mispredict"),
        ("(ok) and (ipc) > (1)", "ok and ipc > 1"),
        ("ipc * 2 + 1 > -1", "((ipc * 2) + 1) > (-1)"),
        ("ipc - 1 - 1 > 0", "(ipc - 1) - 1 > 0"),
    ] {
        let same = |text: &str| {
            let text = Property::parse(text).unwrap().to_string();
            on_x(&text)
        };
        assert_eq!(same(one), same(other), "{one} | {other}");
    }
}

#[test]
fn what_is_printed_is_canonical() {
    for (text, canonical) in [
        ("always[0:50]temp<90degC", "G[0,50](temp < 90degC)"),
        ("runs  a,b from base:runtime@a<runtime@b", "runs a, b from base: runtime@a < runtime@b"),
        ("(G a>1) and b>2", "G(a > 1) and b > 2"),
        ("P<.1[x at R where y>2]", "P(x at (R where y > 2)) < 0.1"),
        ("\"F\"=1&&\"L1-misses\"<9", "\"F\" == 1 and \"L1-misses\" < 9"),
        ("a-(b-c)-d>--1", "a - (b - c) - d > --1"),
        ("a weak_until(0:5µs)not b", "a weak_until(0,5us) not b"),
        ("(a->b)->c->d", "(a -> b) -> c -> d"),
        ("speedup(1,2)>=1.1x", "speedup(1, 2) >= 1.1x"),
        ("count(R where a)>3E+2", "count((R where a)) > 3e2"),
    ] {
        assert_eq!(Property::parse(text).unwrap().to_string(), canonical);
    }
}

#[test]
fn comparisons_are_in_the_unit_of_the_leftmost_metric() {
    let scaled = |name: &str, up, down| Term::Scale(Box::new(metric(name)), up, down);
    let both = |text: &str| {
        let formula = on_y(text);
        let NumberComparison { left, right, unit, .. } = comparison(&formula).clone();
        (left, right, unit)
    };
    let number = Term::Number;
    for (text, left, right, unit) in [
        ("cpu_time == 0.25s", metric("cpu_time"), number(250.0), "ms"),
        ("0.25s == cpu_time", number(250.0), metric("cpu_time"), "ms"),
        ("runtime == 250ms", metric("runtime"), number(0.25), "s"),
        ("runtime < 1.1 s", metric("runtime"), number(1.1), "s"),
        ("runtime > -100us", metric("runtime"), number(-0.0001), "s"),
        ("runtime < 1.5min", metric("runtime"), number(90.0), "s"),
        ("cpu_time < runtime", metric("cpu_time"), scaled("runtime", 1000.0, 1.0), "ms"),
        ("runtime > cpu_time", metric("runtime"), scaled("cpu_time", 1.0, 1000.0), "s"),
        ("memory < 1.5KiB", metric("memory"), number(1536.0), "B"),
        ("memory < 2.5MB", metric("memory"), number(2.5e6), "B"),
        ("energy > 300mJ", metric("energy"), number(0.3), "J"),
        ("usage < 99.9%", metric("usage"), number(99.9), "%"),
        ("usage > 0.3x", metric("usage"), number(30.0), "%"),
        ("ratio < 99.9%", metric("ratio"), number(0.999), ""),
        ("ratio < 5", metric("ratio"), number(5.0), ""),
        ("insts < 5", metric("insts"), number(5.0), ""),
        ("ipc > 1.2", metric("ipc"), number(1.2), "Count/Cycle"),
        ("cpi < 2", metric("cpi"), number(2.0), "Cycle/Count"),
        ("cpi < 2cycles", metric("cpi"), number(2.0), "Cycle/Count"),
        ("cycles < 1000cycles", metric("cycles"), number(1000.0), "cycles"),
        ("misses < 5", metric("misses"), number(5.0), "misses"),
        ("ticks < 5ticks", metric("ticks"), number(5.0), "ticks"),
        ("plain < 5%", metric("plain"), number(0.05), ""),
        ("plain < ratio", metric("plain"), metric("ratio"), ""),
        ("runtime > 0", metric("runtime"), number(0.0), "s"),
        ("1s < 2min", number(1.0), number(120.0), "s"),
        ("1 < 2", number(1.0), number(2.0), ""),
        ("\"duration\" < 5", metric("duration"), number(5.0), ""),
        ("\"F\" < \"L1-misses\"", metric("F"), metric("L1-misses"), ""),
    ] {
        assert_eq!(both(text), (left, right, unit.to_string()), "{text}");
    }
    let gap = both("gap(tick) < 1s");
    assert_eq!((gap.1, gap.2), (number(1000.0), "ms".to_string()));
}

#[test]
fn arithmetic_has_units() {
    let unit = |text: &str| comparison(&on_y(text)).unit.clone();
    assert_eq!(unit("energy / runtime > 5W"), "W");
    assert_eq!(unit("energy / cpu_time > 5W"), "kW");
    assert_eq!(unit("memory / runtime > 5e6"), "B/s");
    assert_eq!(unit("sum(watts) > 5mJ"), "mJ");
    assert_eq!(unit("avg(watts) * runtime > 5J"), "J");
    assert_eq!(unit("misses / accesses < 5%"), "misses/accesses");
    assert_eq!(unit("insts / cycles > 1"), "1/cycles");
    assert_eq!(unit("1 / runtime > 5Hz"), "Hz");
    assert_eq!(unit("2 * runtime + 250ms > 5s"), "s");
    let add =
        |left: Term, right: Term| Term::Binary(Arithmetic::Add, Box::new(left), Box::new(right));
    assert_eq!(
        comparison(&on_y("cpu_time + 0.25s > 1s")).left,
        add(metric("cpu_time"), Term::Number(250.0))
    );
    // A ratio of times in different units is a pure number.
    let ratio = on_y("runtime / cpu_time > 2x");
    let scaled = Term::Scale(Box::new(metric("cpu_time")), 1.0, 1000.0);
    assert_eq!(
        comparison(&ratio).left,
        Term::Binary(Arithmetic::Divide, Box::new(metric("runtime")), Box::new(scaled))
    );
    // A percentage in a product is a share.
    let share = on_y("usage * runtime > 2s");
    let scaled = Term::Scale(Box::new(metric("usage")), 1.0, 100.0);
    assert_eq!(
        comparison(&share).left,
        Term::Binary(Arithmetic::Multiply, Box::new(scaled), Box::new(metric("runtime")))
    );
    let joules_per_ms = on_y("energy / cpu_time > 5W");
    assert_eq!(comparison(&joules_per_ms).right, Term::Number(0.005));
    // Watts times milliseconds are millijoules.
    assert_eq!(comparison(&on_y("sum(watts) > 5mJ")).right, Term::Number(5.0));
}

#[test]
fn a_clock_ties_cycles_to_seconds() {
    let mut y = catalogue(Y);
    y.set_clock_hz(parse_frequency("2GHz").unwrap());
    let systems = [(String::new(), y)];
    let of = |text: &str| comparison(&resolve(text, &systems).formula).clone();
    assert_eq!(of("cycles < 10ns").right, Term::Number(20.0));
    assert_eq!(of("runtime < 20cycles").right, Term::Number(1e-8));
    assert_eq!(of("cycles < runtime").right, Term::Scale(Box::new(metric("runtime")), 2e9, 1.0));
    assert_eq!(of("runtime < cycles").right, Term::Scale(Box::new(metric("cycles")), 1.0, 2e9));
    let window = resolve("G[0,4000000cycles] (level > 1)", &systems).formula;
    assert!(matches!(window, Formula::Always(window, _) if window == closed(0.0, 2.0)));
    // X has a clock of its own.
    assert!(matches!(on_x("F[0,10ns] alert"), Formula::Eventually(w, _) if w == closed(0.0, 10.0)));
}

#[test]
fn frequencies_are_read() {
    for (text, hertz) in [
        ("2GHz", 2e9),
        (" 3.3 GHz ", 3.3e9),
        ("800MHz", 8e8),
        ("1kHz", 1e3),
        ("5 Hz", 5.0),
        ("1e3MHz", 1e9),
    ] {
        assert_eq!(parse_frequency(text), Ok(hertz));
    }
    for text in ["", "2", "GHz", "2 s", "-2GHz", "0GHz", "1e999GHz", "fast", "µ", "2GHz2"] {
        let error = parse_frequency(text).unwrap_err();
        assert!(
            error.ends_with("is not a frequency. Use a value such as 2GHz or 800MHz."),
            "{error}"
        );
    }
}

#[test]
fn windows_are_in_the_time_unit_of_the_data() {
    let window = |text: &str| match on_y(text) {
        Formula::Always(window, _) | Formula::Until { window, .. } => window,
        other => panic!("{other:?}"),
    };
    assert_eq!(window("G[0,10] level"), closed(0.0, 10.0));
    assert_eq!(window("G[1,2s] level"), closed(1000.0, 2000.0));
    assert_eq!(window("G[100us,200] level"), closed(0.1, 0.2));
    assert_eq!(window("G[5us,3s] level"), closed(0.005, 3000.0));
    let open = Window { from: 1.0, to: 2.0, includes_from: false, includes_to: false };
    assert_eq!(window("G(1,2) level"), open);
    assert_eq!(window("G(1ms:2ms) level"), open);
    assert_eq!(window("level U(1 ms,2 ms) level"), open);
    let endless = Window { from: 5.0, to: f64::INFINITY, includes_from: true, includes_to: false };
    assert_eq!(window("G[5,inf) level"), endless);
    assert_eq!(window("G (1 > ratio)"), Window::FROM_NOW);
    let count = on_y("G (count[-1s,0)(tick) < 3)");
    let Formula::Always(_, inner) = count else { panic!() };
    let back = Window { from: -1000.0, to: 0.0, includes_from: true, includes_to: false };
    assert_eq!(comparison(&inner).left, Term::Count(Some(back), happens("tick")));
}

#[test]
fn functions_and_built_ins() {
    let left = |text: &str| comparison(&on_x(text)).left.clone();
    let temp = || Box::new(metric("temp"));
    assert_eq!(left("avg(temp) < 90degC"), Term::OverTime(Aggregate::Mean, None, temp()));
    assert_eq!(left("min(temp) < 90degC"), Term::OverTime(Aggregate::Least, None, temp()));
    assert_eq!(
        left("max[0,10](temp) < 90degC"),
        Term::OverTime(Aggregate::Greatest, Some(closed(0.0, 10.0)), temp())
    );
    assert_eq!(
        left("pct(99, temp) < 90degC"),
        Term::OverTime(Aggregate::Percentile(99.0), None, temp())
    );
    assert_eq!(
        left("pct(0.5%, temp) < 90degC"),
        Term::OverTime(Aggregate::Percentile(0.5), None, temp())
    );
    assert_eq!(left("abs(ipc) < 9"), Term::Magnitude(Box::new(metric("ipc"))));
    assert_eq!(
        left("max(ipc, 1, ok) < 9"),
        Term::Binary(
            Arithmetic::Larger,
            Box::new(Term::Binary(
                Arithmetic::Larger,
                Box::new(metric("ipc")),
                Box::new(Term::Number(1.0))
            )),
            Box::new(metric("ok"))
        )
    );
    assert_eq!(left("duration < 200cycles"), Term::Duration(0));
    assert_eq!(left("-ipc < 9"), Term::Negate(Box::new(metric("ipc"))));
    let rises =
        Occurrence { what: Happening::Edge(Edge::Fall, state("handling")), condition: None };
    assert_eq!(left("count(fall(handling)) < 9"), Term::Count(None, rises));
    let tail = on_x("G(error and remaining >= 100ns -> F[0,100ns] alert)");
    let Formula::Always(_, tail) = tail else { panic!() };
    let Formula::Implies(left, _) = *tail else { panic!() };
    let Formula::And(_, remaining) = *left else { panic!() };
    assert_eq!(comparison(&remaining).left, Term::Remaining(0));
    assert_eq!(comparison(&remaining).right, Term::Number(100.0));
}

#[test]
fn powers_logarithms_and_geometric_means() {
    let left = |text: &str| comparison(&on_y(text)).left.clone();
    let of = |function, term| Term::Function(function, Box::new(term));
    let squared = |term| of(NumberFunction::Power(2.0), term);
    assert_eq!(left("log(plain) < 9"), of(NumberFunction::Logarithm, metric("plain")));
    assert_eq!(left("sqrt(plain) < 9"), of(NumberFunction::SquareRoot, metric("plain")));
    assert_eq!(left("plain^2 < 9"), squared(metric("plain")));
    // A power binds more tightly than a sign, and to the right.
    assert_eq!(left("-plain^2 < 9"), Term::Negate(Box::new(squared(metric("plain")))));
    assert_eq!(left("(-plain)^2 < 9"), squared(Term::Negate(Box::new(metric("plain")))));
    assert_eq!(left("plain^2^3 < 9"), of(NumberFunction::Power(8.0), metric("plain")));
    assert_eq!(left("plain^-1 < 9"), of(NumberFunction::Power(-1.0), metric("plain")));
    assert_eq!(left("plain^(1/4) < 9"), of(NumberFunction::Power(0.25), metric("plain")));
    assert_eq!(left("plain^50% < 9"), of(NumberFunction::Power(0.5), metric("plain")));
    let logarithm = |name: &str| Box::new(of(NumberFunction::Logarithm, metric(name)));
    let sum = Term::Binary(Arithmetic::Add, logarithm("plain"), logarithm("ratio"));
    let mean = Term::Scale(Box::new(sum), 1.0, 2.0);
    assert_eq!(left("geomean(plain, ratio) < 9"), of(NumberFunction::Exponential, mean));
    let wait = EventAttribute { attribute: "wait".to_string(), of: happens("Q") };
    assert_eq!(
        left("geomean(wait of Q) < 9"),
        Term::OverEvents(Aggregate::GeometricMean, None, wait)
    );
    assert_eq!(
        left("geomean(level) < 9"),
        Term::OverTime(Aggregate::GeometricMean, None, Box::new(metric("level")))
    );
}

#[test]
fn units_of_powers_and_roots() {
    let of = |text: &str| comparison(&on_y(text)).clone();
    // The same unit, whatever it was squared in.
    let square = of("cpu_time^2 < 1s*1s");
    assert_eq!(square.unit, "ms*ms");
    assert_eq!(of("sqrt(cpu_time * runtime) < 5ms").right, Term::Number(0.005));
    assert_eq!(of("sqrt(cpu_time * runtime) < 5ms").unit, "s");
    assert_eq!(of("(energy/runtime)^1 < 5mW").unit, "W");
    assert_eq!(of("runtime^-1 < 5Hz").unit, "Hz");
    assert_eq!(of("log(runtime/cpu_time) < 2").unit, "");
    assert_eq!(of("geomean(runtime, cpu_time) < 3ms").right, Term::Number(0.003));
    assert_eq!(of("geomean(runtime, cpu_time) < 3ms").unit, "s");
    assert_eq!(of("log(usage) < 2").left, {
        let share = Term::Scale(Box::new(metric("usage")), 1.0, 100.0);
        Term::Function(NumberFunction::Logarithm, Box::new(share))
    });
}

#[test]
fn attributes_shadow_metrics_in_conditions() {
    let condition = |text: &str| match comparison(&on_x(text)).left.clone() {
        Term::Count(_, Occurrence { condition: Some(condition), .. })
        | Term::OverEvents(
            _,
            _,
            EventAttribute { of: Occurrence { condition: Some(condition), .. }, .. },
        ) => *condition,
        other => panic!("{other:?}"),
    };
    let latency = || Term::Attribute("latency".to_string());
    assert_eq!(
        condition("count(R where latency > 0.05us) > 1"),
        compared(latency(), Relation::Greater, Term::Number(50.0), "ns", 14..30)
    );
    let mixed = condition("max(latency of R where latency < 5ns and mispredict) > 1ns");
    assert!(matches!(mixed, Formula::And(left, right)
        if comparison(&left).left == latency() && *right == *state("mispredict")));
    assert!(matches!(condition("count(R where size) > 1"), Formula::Compare(c)
        if c.left == Term::Attribute("size".into()) && c.relation == Relation::Unequal));
    // A built-in is shadowed as well, and a metric with an execution is not.
    let of_q = on_y("count(Q where duration > 1) > 0");
    assert!(matches!(&comparison(&of_q).left, Term::Count(_, occurrence)
        if comparison(occurrence.condition.as_deref().unwrap()).left == Term::Attribute("duration".into())));
    // As an atom it is true at those instants.
    let now = on_x("F (R where latency > 50ns)");
    assert!(matches!(now, Formula::Eventually(_, inner)
        if matches!(comparison(&inner).left, Term::Count(Some(window), _) if window == closed(0.0, 0.0))));
}

fn roles(resolved: &Resolved) -> Vec<(&str, usize)> {
    resolved.runs.iter().map(|RunRole { name, system }| (name.as_str(), *system)).collect()
}

#[test]
fn properties_of_several_executions() {
    let one = resolve("runtime < 5s", &only(Y));
    assert_eq!((roles(&one), one.is_hyper()), (vec![("", 0)], false));
    let two = resolve("runs a,b: abs(runtime@a - runtime@b) < 5ms", &only(Y));
    assert_eq!((roles(&two), two.is_hyper()), (vec![("a", 0), ("b", 0)], true));
    assert_eq!(comparison(&two.formula).right, Term::Number(0.005));
    let numbered = resolve("runtime@2 / runtime@1 < 2", &only(Y));
    assert_eq!(roles(&numbered), [("1", 0), ("2", 0)]);
    let of = |run| Term::Metric(QualifiedName { run, name: "runtime".to_string() });
    let ratio = |a, b| Term::Binary(Arithmetic::Divide, Box::new(of(a)), Box::new(of(b)));
    assert_eq!(comparison(&numbered.formula).left, ratio(1, 0));
    let systems = base_and_new(Y);
    let named = resolve("runs b from base, n from new: runtime@b/runtime@n >= 1.1x", &systems);
    assert_eq!(roles(&named), [("b", 0), ("n", 1)]);
    assert_eq!(comparison(&named.formula).left, ratio(0, 1));
    let same = resolve(
        "runs n from new, b from base, m from new: runtime@b/runtime@n >= 1.1x and runtime@m < 5s",
        &systems,
    );
    assert_eq!(roles(&same), [("n", 1), ("b", 0), ("m", 1)]);
    let without = resolve("runtime@new < runtime@base", &systems);
    assert_eq!(roles(&without), [("base", 0), ("new", 1)]);
    let speedup = resolve("speedup(base, new) >= 1.1", &systems);
    assert_eq!(comparison(&speedup.formula).left, ratio(0, 1));
    assert_eq!(comparison(&speedup.formula).unit, "");
    let one_system = resolve("speedup(1, 2) >= 110%", &only(Y));
    assert_eq!(comparison(&one_system.formula).right, Term::Number(1.1));
    let other = resolve("speedup(base, new, avg(watts)) >= 1.1", &systems);
    assert!(matches!(&comparison(&other.formula).left, Term::Binary(Arithmetic::Divide, left, _)
        if matches!(**left, Term::OverTime(Aggregate::Mean, None, _))));
    let only_new = resolve("runs n from new: runtime < 5s", &systems);
    assert_eq!(roles(&only_new), [("n", 1)]);
    let property = Property::parse("runs a, b from x: runtime@b < speedup(a, c) * time@b").unwrap();
    assert_eq!(property.mentions(), ["b", "a", "c"]);
    let runs = property.runs();
    assert_eq!((runs[1].name.as_str(), runs[1].from.as_deref()), ("b", Some("x")));
    assert_eq!(property.text(), "runs a, b from x: runtime@b < speedup(a, c) * time@b");
}

#[test]
fn systems_in_different_units_are_compared() {
    let mut systems = base_and_new(Y);
    systems[1].1.set_unit("runtime", &Unit::parse("ms"));
    let speedup = resolve("speedup(base, new) >= 1.1", &systems);
    let of = |run| Box::new(Term::Metric(QualifiedName { run, name: "runtime".to_string() }));
    assert_eq!(
        comparison(&speedup.formula).left,
        Term::Binary(Arithmetic::Divide, of(0), Box::new(Term::Scale(of(1), 1.0, 1000.0)))
    );
}

#[test]
fn expressions_have_a_unit() {
    let of = |text: &str| Expression::parse(text).unwrap().resolve(&only(Y)).unwrap();
    assert_eq!((of("runtime").term, of("runtime").unit), (metric("runtime"), "s".to_string()));
    assert_eq!(of("energy / runtime").unit, "W");
    assert_eq!(of("max(wait of Q)").unit, "");
    assert_eq!(of("pct(99, ramp)").unit, "W");
    assert_eq!(of("runtime@1 - runtime@2").runs.len(), 2);
    assert!(of("speedup(1, 2)").is_hyper());
    let error =
        |text: &str| Expression::parse(text).unwrap().resolve(&only(Y)).unwrap_err().to_string();
    assert_eq!(
        error("ramp"),
        "`ramp` varies during an execution\n    ramp\n    ^^^^\nUse a summary, such as `avg(ramp)` or `max(ramp)`."
    );
    assert!(error("5s").starts_with("this is the same number in every execution"));
    assert!(error("runtime < 5s").starts_with("`runtime < 5s` is true or false, not a number"));
}

#[test]
fn units_that_a_user_gives_count() {
    let mut y = catalogue(Y);
    assert!(y.set_unit("plain", &Unit::parse("W")));
    assert!(y.set_unit("Q.wait", &Unit::parse("ns")));
    let systems = [(String::new(), y)];
    let of = |text: &str| comparison(&resolve(text, &systems).formula).clone();
    assert_eq!(
        (of("plain < 5mW").right, of("plain < 5mW").unit),
        (Term::Number(0.005), "W".into())
    );
    assert_eq!(of("max(wait of Q) < 1us").right, Term::Number(1000.0));
}

#[test]
fn nesting_has_a_limit() {
    let deep = |n: usize| format!("{}ok{}", "(".repeat(n), ")".repeat(n));
    assert!(Property::parse(&deep(90)).is_ok());
    assert!(Property::parse(&("ok or ".repeat(190) + "ok")).is_ok());
    for text in [
        deep(100_000),
        "not ".repeat(100_000) + "ok",
        "-".repeat(100_000) + "1 > 0",
        "ok and ".repeat(100_000) + "ok",
        "1 + ".repeat(100_000) + "1 > 0",
        "1 < ".repeat(100_000) + "1",
        format!("max({}1) > 0", "1,".repeat(100_000)),
        "ok -> ".repeat(100_000) + "ok",
        "G ".repeat(100_000) + "ok",
        "G ok and ".repeat(100_000) + "ok",
        "P(".repeat(100_000),
        "P<1[".repeat(100_000),
        "count(".repeat(100_000),
        "rise(".repeat(100_000),
        "[".repeat(100_000),
    ] {
        assert!(Property::parse(&text).is_err(), "{}", &text[..20]);
    }
    // What is read is checked in reasonable time.
    for text in [
        "count(".repeat(90) + "error" + &")".repeat(90) + " > 1",
        "rise(".repeat(90) + "mispredict" + &")".repeat(90),
        "0 < P(".repeat(40) + "mispredict" + &") < 1".repeat(40),
        "speedup(1, 2, ".repeat(60) + "ipc" + &")".repeat(60) + " > 1",
        "(1 + (".repeat(20) + "ipc > 1" + &") > 1)".repeat(20),
    ] {
        let property = Property::parse(&text).unwrap();
        let _ = property.resolve(&only(X));
    }
}

/// Words and signs of the language and of the data, so that much of what they make is nearly right.
fn soup() -> impl Strategy<Value = String> {
    let words = vec![
        "G",
        "F",
        "U",
        "weak_until",
        "and",
        "or",
        "not",
        "->",
        "<->",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        "0",
        "5",
        "1.5",
        "10ms",
        "20%",
        "9cycles",
        "inf",
        "-",
        "+",
        "*",
        "/",
        "<",
        "<=",
        ">",
        ">=",
        "==",
        "!=",
        "P",
        "P(",
        "rise(",
        "fall(",
        "count(",
        "avg(",
        "max(",
        "pct(99,",
        "gap(",
        "sum(",
        "abs(",
        "speedup(",
        "time_in(",
        "of",
        "at",
        "where",
        "ipc",
        "power",
        "temp",
        "ramp",
        "slope",
        "level",
        "mispredict",
        "error",
        "R",
        "Q",
        "latency",
        "wait",
        "time",
        "remaining",
        "duration",
        "runtime",
        "@",
        "1",
        "2",
        "base",
        "new",
        "runs",
        "from",
        "true",
        "false",
        "\"L1-misses\"",
        "\"",
        "#",
        "\n",
        "[0,5]",
        "[-5,0]",
        "(0,5ms]",
        "°C",
        "µs",
        "漢",
    ];
    proptest::collection::vec(proptest::sample::select(words), 0..24)
        .prop_map(|words| words.join(" "))
}

fn survive(text: &str) {
    let check = |error: fathom_property::PropertyError| {
        assert!(!error.to_string().is_empty());
        let span = error.span();
        assert!(span.start <= span.end && text.get(span).is_some(), "{error:?}");
        assert!(!error.message().is_empty() && !error.message().contains("NaN"));
    };
    match Property::parse(text) {
        Ok(property) => {
            for systems in [only(X), only(Y), base_and_new(Y), vec![]] {
                if let Err(error) = property.resolve(&systems) {
                    check(error);
                }
            }
            let again = Property::parse(&property.to_string()).unwrap();
            assert_eq!(again.to_string(), property.to_string());
        }
        Err(error) => check(error),
    }
    if let Ok(expression) = Expression::parse(text)
        && let Err(error) = expression.resolve(&only(Y))
    {
        check(error);
    }
    let _ = parse_frequency(text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        survive(&text);
    }

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn words_in_any_order_are_answered(text in soup()) {
        survive(&text);
    }
}

#[test]
fn a_name_without_a_unit_stays_so() {
    let mut catalogue = Catalogue::new();
    catalogue.insert("x", NameMeaning::Scalar { unit: Unit::Unknown });
    let systems = [("only".to_string(), catalogue)];
    assert_eq!(comparison(&resolve("x@only * 3 > 2", &systems).formula).unit, "");
    assert_eq!(roles(&resolve("x@only > 2", &systems)), [("only", 0)]);
}
