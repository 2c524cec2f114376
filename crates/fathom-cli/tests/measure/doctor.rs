//! `fathom doctor` on this machine.

use super::harness::*;

#[test]
fn the_doctor_looks_and_measures() {
    let quick = document(&run(&["doctor", "--max-time", "0s", "--format", "json"]));
    let topics: Vec<&str> = quick["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["topic"].as_str().unwrap())
        .collect();
    for topic in [
        "governor",
        "turbo",
        "smt",
        "aslr",
        "load",
        "swap",
        "battery",
        "virtual-machine",
        "clock-source",
        "clock-grain",
        "perf-events",
    ] {
        assert!(topics.contains(&topic), "{topic}: {topics:?}");
    }
    assert!(quick["noise_floor"].is_null() && quick["interruptions"].is_null());
    let full = document(&run(&["doctor", "--max-time", "500ms", "--format", "json"]));
    let floor = &full["noise_floor"];
    assert!(floor["pairs"].as_u64().unwrap() >= 20, "{floor}");
    let smallest: Vec<f64> = floor["smallest_difference"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["difference"].as_f64().unwrap())
        .collect();
    assert!(smallest.len() == 3 && smallest[0] > smallest[1] && smallest[1] > smallest[2]);
    let interruptions = &full["interruptions"];
    let cpus = interruptions["cpus"].as_array().unwrap();
    assert!(!cpus.is_empty() && cpus.len() <= 8, "{interruptions}");
    for cpu in cpus {
        let lost = cpu["lost"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&lost) && cpu["seconds"].as_f64().unwrap() >= 0.25, "{cpu}");
        // Anything interrupts a quarter of a second, or nothing is said of it.
        assert_eq!(cpu["longest_seconds"].as_array().unwrap().is_empty(), lost == 0.0, "{cpu}");
    }
    let first = cpus[0]["cpu"].to_string();
    let one =
        document(&run(&["doctor", "--max-time", "10ms", "--cpu", &first, "--format", "json"]));
    let one = one["interruptions"]["cpus"].as_array().unwrap();
    assert!(one.len() == 1 && one[0]["seconds"].as_f64().unwrap() >= 1.0, "{one:?}");
    let text = stdout(&["doctor", "--max-time", "0s"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
