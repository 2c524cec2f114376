use super::*;

fn block(log_ratio: f64) -> Block {
    Block { log_ratio, log_total: 0.0 }
}

fn course(subjects: usize, most: usize) -> Course {
    Course::new(subjects, most, Confidence::DEFAULT, Margin::DEFAULT, Vec::new(), 0.0)
}

/// Small noise about a log-ratio, the same for every run of the test.
fn near(log_ratio: f64, i: usize) -> Block {
    block(log_ratio + 0.002 * ((i * 7 % 10) as f64 - 4.5) / 5.0)
}

#[test]
fn a_clear_difference_is_settled_at_the_first_look() {
    let mut course = course(1, 50);
    for i in 0..9 {
        assert!(!course.take(&[(0, near(0.05, i))]), "before the first look");
        assert_eq!(course.subjects()[0].interval(), LogRatioInterval::EVERYTHING);
    }
    assert!(course.take(&[(0, near(0.05, 9))]));
    let subject = &course.subjects()[0];
    assert_eq!(Verdict::of(subject.interval(), Margin::DEFAULT), Verdict::Slower);
    // 2 · P(W⁺ ≤ 0) / share: four looks before the last share .3.
    assert!((subject.p_value() - 2.0 / 1024.0 / 0.075).abs() < 1e-12);
}

#[test]
fn whoever_is_settled_leaves_the_rotation() {
    let mut course = course(2, 20);
    for i in 0..10 {
        // The second is too noisy to be settled.
        let noisy = block(0.3 * ((i % 3) as f64 - 1.0));
        assert!(!course.take(&[(0, near(0.2, i)), (1, noisy)]));
    }
    assert_eq!(course.open(), [1]);
    assert!(course.subjects()[0].is_settled());
}

#[test]
fn a_gate_keeps_measuring_until_it_is_answered() {
    let gate = vec![Gate::NotSlower(Margin::new(0.05).unwrap())];
    let mut course = Course::new(1, 30, Confidence::DEFAULT, Margin::DEFAULT, gate, 0.0);
    // Slower, about 5%: the verdict is there at once, the gate's answer is not.
    for i in 0..30 {
        let done = course.take(&[(0, near(0.05_f64.ln_1p(), i))]);
        assert_eq!(done, i == 29);
    }
    let interval = course.subjects()[0].interval();
    assert_eq!(Verdict::of(interval, Margin::DEFAULT), Verdict::Slower);
}

/// Blocks that turn out shorter than planned leave time, which is used; the error stays within
/// its bound because the look at the former end spends only a part of what it had.
#[test]
fn time_that_is_left_is_used() {
    let noisy = |i: usize| block(0.3 * ((i % 3) as f64 - 1.0));
    let mut course = course(1, 11);
    for i in 0..10 {
        course.take(&[(0, noisy(i))]);
    }
    course.extend(30);
    assert_eq!(course.looks().at(), [11, 16, 25, 30]);
    assert!(!course.take(&[(0, noisy(10))]), "the former end is one look of several");
    assert!((course.last_level(0) - 0.05 / 6.0).abs() < 1e-12);
    for i in 11..30 {
        assert_eq!(course.take(&[(0, noisy(i))]), i == 29);
    }
    assert!((course.last_level(0) - 0.05 / 2.0).abs() < 1e-12);
    course.extend(90);
    assert_eq!(course.looks().most(), 30, "what is spent is spent");
}

#[test]
fn the_clock_may_end_it_anywhere() {
    let mut course = course(1, 50);
    for i in 0..7 {
        course.take(&[(0, near(0.05, i))]);
    }
    course.end();
    assert!(course.subjects()[0].is_settled(), "seven blocks, all of alpha left");
}

/// Looks out of turn narrow what the last look may spend, and never to nothing.
#[test]
fn an_interruption_costs_the_last_look_half_its_error() {
    let last_level = |interruptions: usize| {
        let mut course = course(1, 11);
        let noisy = |i: usize| block(0.3 * ((i % 3) as f64 - 1.0));
        for i in 0..8 {
            course.take(&[(0, noisy(i))]);
        }
        (0..interruptions).for_each(|_| course.interrupt());
        for i in 8..11 {
            course.take(&[(0, noisy(i))]);
        }
        course.last_level(0)
    };
    assert!((last_level(0) - 0.05).abs() < 1e-12);
    assert!((last_level(1) - 0.025).abs() < 1e-12);
    assert!((last_level(3) - 0.05 / 8.0).abs() < 1e-12);
}

#[test]
fn looks_that_exclude_each_other_are_noticed() {
    let mut course = Course::new(
        1,
        40,
        Confidence::DEFAULT,
        Margin::DEFAULT,
        vec![Gate::NotSlower(Margin::new(0.05).unwrap())],
        0.0,
    );
    for i in 0..10 {
        course.take(&[(0, near(0.049, i))]);
    }
    for i in 0..30 {
        course.take(&[(0, near(0.02, i))]);
    }
    let subject = &course.subjects()[0];
    assert!(subject.interval().lower <= subject.interval().upper);
}

/// What is spent on the shell is not spent on the subjects.
#[test]
fn the_shell_costs_the_p_value_its_part_of_the_error() {
    let p_value = |mut course: Course| {
        for i in 0..10 {
            course.take_shell(near(-1.0, i));
            course.take(&[(0, near(0.05, i))]);
        }
        course.subjects()[0].p_value()
    };
    let (alone, with_shell) = (p_value(course(1, 50)), p_value(course(1, 50).with_shell()));
    assert!((with_shell - alone / (1.0 - OF_SHELL)).abs() < 1e-12, "{alone} {with_shell}");
}

/// With a fixed number of blocks, an interruption shows the difference, and resuming measures the rest.
#[test]
fn an_interruption_does_not_end_a_fixed_number_of_blocks() {
    let mut course = course(1, 30).with_looks(Looks::once(30));
    for i in 0..20 {
        assert!(!course.take(&[(0, near(0.05, i))]));
    }
    course.interrupt();
    let seen = course.subjects()[0].interval();
    assert_eq!(Verdict::of(seen, Margin::DEFAULT), Verdict::Slower);
    assert_eq!(course.open(), [0]);
    for i in 20..30 {
        assert_eq!(course.take(&[(0, near(0.05, i))]), i == 29);
    }
    assert_eq!(course.blocks(), 30);
}
