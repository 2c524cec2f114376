//! Commands are executed, end in all their ways, and leave nothing behind.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one has its own main"
)]

mod harness;

use fathom_record::Ending;
use fathom_sys::counters::CounterName;
use fathom_sys::signals::Interrupt;
use fathom_sys::spawner::{
    ExecuteError, Order, SpawnStep, Spawner, SpawnerError, StandardInput, Stream, TAIL_LIMIT, Wait,
};
use harness::{
    Case, Folder, eventually, execute, played, runs, script, spawner, this_program, words,
};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

fn main() {
    let cases: &[Case] = &[
        ("exit_codes", exit_codes),
        ("signals", signals),
        ("streams_go_where_they_are_sent", streams_go_where_they_are_sent),
        ("a_file_as_input_is_read_from_its_beginning_each_time", input_is_rewound),
        ("arguments_environment_and_folder_arrive", arguments_environment_and_folder_arrive),
        ("a_million_bytes_on_both_streams_do_not_block", much_output),
        ("the_tail_of_standard_error_is_kept", tail_of_errors),
        ("too_much_output_is_an_error_and_the_next_run_works", too_much_output),
        ("a_time_out_kills_the_whole_tree", time_out_kills_the_tree),
        ("a_time_out_kills_what_left_the_process_group", time_out_kills_leavers),
        ("a_time_out_spares_what_an_earlier_run_left_behind", time_out_spares_services),
        ("a_time_out_kills_what_ignores_sigterm", time_out_kills_the_stubborn),
        ("a_command_may_end_well_on_sigterm", time_out_allows_cleaning_up),
        ("a_background_process_that_holds_the_pipes_does_not_block", background_process),
        ("interruption", interruption),
        ("a_signal_is_looked_at_at_once", a_signal_is_looked_at_at_once),
        ("a_second_sigint_ends_at_once", second_interrupt),
        ("an_ignored_hang_up_stays_ignored", nohup),
        ("short_runs_are_not_disturbed", short_runs_are_not_disturbed),
        ("signals_are_default_and_unblocked_in_the_command", signals_are_default),
        ("no_files_leak_into_the_command", no_files_leak),
        ("what_cannot_be_executed_says_why", exec_errors),
        ("a_huge_environment_arrives_or_is_refused", huge_environment),
        ("a_nul_byte_is_refused", nul_byte),
        ("the_server_gone_is_an_error", server_gone),
        ("the_server_gone_in_mid_run_is_an_error_and_the_command_dies", server_gone_in_mid_run),
        ("kill_9_of_the_client_kills_the_command", client_killed),
        ("a_thread_that_started_the_spawner_may_end", starting_thread_may_end),
        ("a_program_that_does_not_serve_is_told", not_a_server),
        ("an_announced_command_waits_for_its_word", announced_waits),
        ("an_announced_command_that_cannot_start_says_why", announced_errors),
        ("kill_9_of_the_client_before_the_word_leaves_nothing", announced_client_killed),
    ];
    harness::main(cases, play);
}

/// Commands that this program plays.
fn play(name: &str, arguments: &[String]) {
    match name {
        "client" => {
            let mut spawner = Spawner::start(&this_program()).unwrap();
            let order = script(&arguments[0]);
            let _ = execute(&mut spawner, &order);
        }
        "announced_client" => {
            let mut spawner = Spawner::start(&this_program()).unwrap();
            let order = script(&format!("echo ran >{}", arguments[1]));
            let mut on_start = |pid: u32| {
                std::fs::write(&arguments[0], format!("{pid}\n")).unwrap();
                std::thread::sleep(Duration::from_secs(1000));
            };
            let _ = spawner.execute_announced(&order, None, &mut on_start, &mut |_| Wait::Continue);
        }
        "print" => {
            let bytes = vec![b'x'; arguments[0].parse().unwrap()];
            std::io::stdout().write_all(&bytes).unwrap();
            std::io::stderr().write_all(&bytes).unwrap();
            std::io::stderr().write_all(b"the end").unwrap();
        }
        "hear" => {
            let interrupt = Interrupt::install().unwrap();
            for signal in arguments[0].split(' ') {
                let text = format!("kill -{signal} {}", std::process::id());
                let mut sender = std::process::Command::new("/bin/sh");
                assert!(sender.args(["-c", &text]).status().unwrap().success());
                match interrupt.signal() {
                    Some(signal) => println!("heard {signal}"),
                    None => println!("nothing heard"),
                }
            }
            std::process::exit(7);
        }
        _ => panic!("unknown play {name}"),
    }
}

fn exit_codes() {
    let mut spawner = spawner();
    for code in [0, 1, 42, 255] {
        let finished = execute(&mut spawner, &script(&format!("exit {code}"))).unwrap();
        assert_eq!(finished.ending, Ending::Exited(code));
        assert!(finished.usage.wall > fathom_record::Span::ZERO);
    }
}

fn signals() {
    let mut spawner = spawner();
    for (name, number) in [("KILL", 9), ("TERM", 15), ("SEGV", 11), ("HUP", 1)] {
        let finished = execute(&mut spawner, &script(&format!("kill -{name} $$"))).unwrap();
        assert_eq!(finished.ending, Ending::Signalled(number));
    }
}

fn streams_go_where_they_are_sent() {
    let folder = Folder::new("streams");
    let mut spawner = spawner();
    let text = "cat; echo out; echo err >&2";
    let mut order = script(text);
    order.output = Stream::Capture;
    let finished = execute(&mut spawner, &order).unwrap();
    assert_eq!(finished.stdout, b"out\n");
    assert_eq!(finished.stderr_tail, b"err\n");

    order.output = Stream::Discard;
    order.errors = Stream::Null;
    let finished = execute(&mut spawner, &order).unwrap();
    assert_eq!((finished.stdout, finished.stderr_tail), (Vec::new(), Vec::new()));

    let file = folder.file("both");
    order.output = Stream::File(std::fs::File::create(&file).unwrap());
    order.errors = Stream::File(std::fs::File::options().append(true).open(&file).unwrap());
    execute(&mut spawner, &order).unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), b"out\nerr\n");

    // A pipe is not the null device, which some programs notice.
    let mut order = script("test -p /dev/stdout && test -c /dev/stdin");
    order.output = Stream::Discard;
    assert_eq!(execute(&mut spawner, &order).unwrap().ending, Ending::Exited(0));

    // The tests' own standard output is the command's.
    let mine = std::fs::read_link("/proc/self/fd/1").unwrap();
    let mut order = script("test \"$(readlink /proc/$$/fd/1)\" = \"$MINE\"");
    order.environment.push(("MINE".into(), mine.into()));
    order.output = Stream::Inherit;
    order.input = StandardInput::Inherit;
    // In $( ) the shell's own standard output is still ours.
    assert_eq!(execute(&mut spawner, &order).unwrap().ending, Ending::Exited(0));
}

fn input_is_rewound() {
    let folder = Folder::new("input");
    let mut spawner = spawner();
    let mut order = script("cat");
    order.output = Stream::Capture;
    let file = folder.write("input", "hello", 0o644);
    order.input = StandardInput::File(std::fs::File::open(file).unwrap());
    for _ in 0..3 {
        assert_eq!(execute(&mut spawner, &order).unwrap().stdout, b"hello");
    }
}

fn arguments_environment_and_folder_arrive() {
    let folder = Folder::new("folder");
    let here = folder.file("sub");
    std::fs::create_dir(&here).unwrap();
    let mut spawner = spawner();
    let mut order =
        script("pwd; printf '%s|' \"$0\" \"$@\"; env | grep -v '^_=\\|^PWD=\\|^SHLVL='");
    order.arguments.extend(["name", "a b", "", "ünï"].map(OsString::from));
    order.environment = vec![("ONLY".into(), "this one".into()), ("EMPTY".into(), "".into())];
    order.environment.push(("PATH".into(), "/usr/bin:/bin".into()));
    order.folder = Some(here.clone());
    order.output = Stream::Capture;
    let finished = execute(&mut spawner, &order).unwrap();
    let text = String::from_utf8(finished.stdout).unwrap();
    let (place, rest) = text.split_once('\n').unwrap();
    assert_eq!(Path::new(place), here.canonicalize().unwrap());
    let (arguments, variables) = rest.rsplit_once('|').unwrap();
    assert_eq!(arguments, "name|a b||ünï");
    let mut variables: Vec<&str> =
        variables.lines().filter(|line| !line.starts_with("OLDPWD")).collect();
    variables.sort_unstable();
    assert_eq!(variables, ["EMPTY=", "ONLY=this one", "PATH=/usr/bin:/bin"]);
}

fn much_output() {
    let mut spawner = spawner();
    let mut order = played(&["print", "1000000"]);
    order.output = Stream::Capture;
    let finished = execute(&mut spawner, &order).unwrap();
    assert_eq!(finished.stdout.len(), 1_000_000);
    assert!(finished.stdout.iter().all(|&byte| byte == b'x'));
    order.output = Stream::Discard;
    assert_eq!(execute(&mut spawner, &order).unwrap().ending, Ending::Exited(0));
}

fn tail_of_errors() {
    let mut spawner = spawner();
    let finished = execute(&mut spawner, &played(&["print", "100000"])).unwrap();
    assert_eq!(finished.stderr_tail.len(), TAIL_LIMIT);
    assert!(finished.stderr_tail.ends_with(b"xthe end"));
}

fn too_much_output() {
    let mut spawner = spawner();
    let mut order = script("exec cat /dev/zero");
    order.output = Stream::Capture;
    let error = execute(&mut spawner, &order).unwrap_err();
    assert!(matches!(error, ExecuteError::TooMuchOutput { .. }), "{error}");
    assert!(error.to_string().contains("more than 64 MiB"), "{error}");
    assert_eq!(execute(&mut spawner, &script("exit 3")).unwrap().ending, Ending::Exited(3));
}

/// Runs an order until it is out of time, with ever more of it until it did what the test needs:
/// no machine is too slow.
fn until_out_of_time(spawner: &mut Spawner, order: &Order, mut is_ready: impl FnMut() -> bool) {
    for limit in [300, 1000, 5000, 20_000] {
        let limit = Some(Duration::from_millis(limit));
        let finished = spawner.execute(order, limit, &mut |_| Wait::Continue).unwrap();
        assert_eq!(finished.ending, Ending::TimedOut);
        if is_ready() {
            return;
        }
    }
    panic!("the command did not do its work in 20 s");
}

/// Runs a script that prints pids of what it starts, until it is out of time; none may live on.
fn time_out(text: &str, count: usize) {
    let folder = Folder::new("time-out");
    let mut spawner = spawner();
    let mut order = script(text);
    let out = folder.file("pids");
    order.environment.push(("OUT".into(), out.clone().into()));
    let mut pids = Vec::new();
    until_out_of_time(&mut spawner, &order, || {
        let text = std::fs::read_to_string(&out).unwrap_or_default();
        pids = text.split_whitespace().map(str::to_string).collect();
        pids.len() >= count
    });
    for pid in &pids {
        assert!(!runs(pid), "{pid} of {pids:?} lives on");
    }
    // And the next order finds the server ready.
    assert_eq!(execute(&mut spawner, &script("exit 3")).unwrap().ending, Ending::Exited(3));
}

fn time_out_kills_the_tree() {
    time_out("sleep 1000 & echo $! >>$OUT; sh -c 'echo $$ >>$OUT; sleep 1000; :' & wait", 2);
}

fn time_out_kills_leavers() {
    time_out(
        "setsid sh -c 'echo $$ >>$OUT; trap \"\" TERM; setsid sleep 1000 & echo $! >>$OUT; wait' & \
         wait",
        2,
    );
}

fn time_out_kills_the_stubborn() {
    time_out(
        "trap '' TERM; sh -c 'echo $$ >>$OUT; sleep 1000; sleep 1000' & echo $$ >>$OUT; wait; wait",
        2,
    );
}

fn time_out_spares_services() {
    let mut spawner = spawner();
    let mut service = script("sleep 1000 >/dev/null 2>&1 & echo $!");
    service.output = Stream::Capture;
    let finished = execute(&mut spawner, &service).unwrap();
    let pid = String::from_utf8(finished.stdout).unwrap().trim().to_string();
    let limit = Some(Duration::from_millis(100));
    let finished = spawner.execute(&script("sleep 1000"), limit, &mut |_| Wait::Continue).unwrap();
    assert_eq!(finished.ending, Ending::TimedOut);
    assert!(runs(&pid));
    execute(&mut spawner, &script(&format!("kill {pid}"))).unwrap();
    eventually("the service ends", || !runs(&pid));
}

fn time_out_allows_cleaning_up() {
    let folder = Folder::new("clean-up");
    let mut spawner = spawner();
    // The command and its child both hear it.
    let mut order = script(
        "sh -c 'trap \"echo inner >>$OUT; exit\" TERM; sleep 1000 & wait' & \
         trap 'wait; echo outer >>$OUT; exit 0' TERM; wait",
    );
    order.environment.push(("OUT".into(), folder.file("log").into()));
    until_out_of_time(&mut spawner, &order, || folder.file("log").exists());
    assert_eq!(words(&folder.file("log"), 2)[..2], ["inner", "outer"]);
}

fn background_process() {
    let mut spawner = spawner();
    // One that holds the pipes, and one that never stops writing into them.
    for text in ["sleep 1000 & echo $!", "yes & echo $! | tee /dev/stderr"] {
        let mut order = script(text);
        order.output = Stream::Capture;
        let finished = execute(&mut spawner, &order).unwrap();
        assert_eq!(finished.ending, Ending::Exited(0));
        let text = String::from_utf8(finished.stdout).unwrap();
        let pid = text.lines().find(|line| line.parse::<i32>().is_ok()).unwrap().to_string();
        execute(&mut spawner, &script(&format!("kill {pid} 2>/dev/null"))).unwrap();
        eventually("the process ends", || !runs(&pid));
    }
}

fn interruption() {
    let folder = Folder::new("interruption");
    let mut spawner = spawner();
    let mut order = script("sleep 1000 & echo $$ $! >$OUT; wait");
    order.environment.push(("OUT".into(), folder.file("pids").into()));
    let mut calls = Vec::new();
    let result = spawner.execute(&order, None, &mut |waited| {
        calls.push(waited);
        let ready = std::fs::read_to_string(folder.file("pids")).is_ok_and(|t| t.ends_with('\n'));
        if ready && calls.len() >= 3 { Wait::Abort } else { Wait::Continue }
    });
    assert!(matches!(result, Err(ExecuteError::Interrupted)), "{result:?}");
    assert!(calls[0] >= Duration::from_millis(300), "{calls:?}");
    assert!(calls.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_millis(100)));
    for pid in words(&folder.file("pids"), 2) {
        assert!(!runs(&pid));
    }
    assert_eq!(execute(&mut spawner, &script("exit 3")).unwrap().ending, Ending::Exited(3));
}

fn a_signal_is_looked_at_at_once() {
    let interrupt = Interrupt::install().unwrap();
    assert!(!interrupt.requested());
    let mut spawner = spawner();
    // The command signals us, its grandparent, many times between two regular looks.
    let text = "n=0; while [ $n -lt 40 ]; do kill -TERM $US; sleep 0.005; n=$((n + 1)); done";
    let mut order = script(text);
    order.environment.push(("US".into(), std::process::id().to_string().into()));
    let mut looks = Vec::new();
    let finished = spawner.execute(&order, None, &mut |waited| {
        looks.push(waited);
        Wait::Continue
    });
    assert_eq!(finished.unwrap().ending, Ending::Exited(0));
    assert_eq!(interrupt.signal(), Some(15));
    let regular = looks.last().map_or(0, |last| last.as_millis().saturating_sub(200) / 100);
    assert!(looks.len() as u128 > regular + 5, "{looks:?}");
    let result = spawner.execute(&script("kill -TERM $US; sleep 1000"), None, &mut |_| {
        if interrupt.requested() { Wait::Abort } else { Wait::Continue }
    });
    assert!(matches!(result, Err(ExecuteError::Interrupted)), "{result:?}");
}

fn second_interrupt() {
    let mut spawner = spawner();
    for (signals, ending, said) in [
        ("INT INT", 130, "heard 2\n"),
        ("TERM INT", 130, "heard 15\n"),
        // Two polite signals still return what was measured.
        ("TERM TERM", 7, "heard 15\nheard 15\n"),
        ("HUP TERM", 7, "heard 1\nheard 1\n"),
    ] {
        let mut order = played(&["hear", signals]);
        order.output = Stream::Capture;
        let finished = execute(&mut spawner, &order).unwrap();
        assert_eq!(finished.ending, Ending::Exited(ending), "{signals}");
        assert_eq!(String::from_utf8(finished.stdout).unwrap(), said, "{signals}");
    }
}

fn nohup() {
    let mut spawner = spawner();
    let mut order = script("trap '' HUP; exec \"$PROGRAM\" __play hear HUP");
    order.environment.push(("PROGRAM".into(), this_program().into()));
    order.output = Stream::Capture;
    assert_eq!(execute(&mut spawner, &order).unwrap().stdout, b"nothing heard\n");
}

fn short_runs_are_not_disturbed() {
    let mut spawner = spawner();
    for _ in 0..20 {
        let on_wait = &mut |waited| {
            assert!(waited >= Duration::from_millis(300));
            Wait::Continue
        };
        spawner.execute(&script(":"), None, on_wait).unwrap();
    }
}

fn signals_are_default() {
    let mut spawner = spawner();
    let mut order = script("grep -E '^Sig(Ign|Blk)' /proc/self/status");
    order.output = Stream::Capture;
    let text = String::from_utf8(execute(&mut spawner, &order).unwrap().stdout).unwrap();
    assert_eq!(text.lines().count(), 2);
    for line in text.lines() {
        assert!(line.ends_with("\t0000000000000000"), "{text}");
    }
}

fn no_files_leak() {
    let mut spawner = spawner();
    let server = spawner.pid().to_string();
    let open = |pid: &str| std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    let mut order = script("ls /proc/$$/fd");
    order.output = Stream::Capture;
    order.counters = CounterName::ALL.to_vec();
    let mut before = None;
    for _ in 0..5 {
        let finished = execute(&mut spawner, &order).unwrap();
        let fds = String::from_utf8(finished.stdout).unwrap();
        let limit = Some(Duration::from_millis(20));
        spawner.execute(&script("sleep 1000"), limit, &mut |_| Wait::Continue).unwrap();
        let mut wrong = script("");
        wrong.program = "/no/such/program".into();
        execute(&mut spawner, &wrong).unwrap_err();
        let now = (open(&server), open("self"), fds);
        assert_eq!(before.get_or_insert_with(|| now.clone()), &now);
    }
    // The server has its socket and the null device; what we inherited is passed on, as every
    // program does.
    let (server, _, fds) = before.unwrap();
    assert_eq!(fds.lines().count(), server);
}

fn exec_errors() {
    let folder = Folder::new("exec");
    let mut spawner = spawner();
    let text = folder.write("text", "just text", 0o755);
    let lost = folder.write("lost", "#!/no/such/interpreter -x\n", 0o755);
    let closed = folder.write("closed", "#!/bin/sh\n", 0o644);
    let absent = folder.file("absent");
    let cases = [
        (text, "does not begin with #!"),
        (lost, "the interpreter /no/such/interpreter, which does not exist"),
        (closed, "chmod +x"),
        (folder.file(""), "it is a folder"),
        (absent, "No such file"),
    ];
    for (program, words) in cases {
        let mut order = script("");
        order.program = program;
        let error = execute(&mut spawner, &order).unwrap_err();
        let ExecuteError::Start(start) = &error else { panic!("{error}") };
        assert_eq!(start.step, SpawnStep::Execute);
        assert!(error.to_string().contains(words), "{error}");
    }
    let mut order = script("");
    order.folder = Some(folder.file("nowhere"));
    let error = execute(&mut spawner, &order).unwrap_err().to_string();
    assert!(error.contains("cannot use the folder") && error.contains("nowhere"), "{error}");
    for cpu in [8191, 100_000] {
        let mut order = script("");
        order.cpu = Some(cpu);
        let error = execute(&mut spawner, &order).unwrap_err().to_string();
        assert!(error.contains(&format!("cannot pin it to CPU {cpu}")), "{error}");
    }
    assert_eq!(execute(&mut spawner, &script("exit 3")).unwrap().ending, Ending::Exited(3));
}

fn huge_environment() {
    let mut spawner = spawner();
    let mut order = script("printf %s \"$LAST\"");
    order.output = Stream::Capture;
    let value = OsString::from("v".repeat(1000));
    order.environment = (0..1200).map(|n| (format!("N{n}").into(), value.clone())).collect();
    order.environment.push(("LAST".into(), "here".into()));
    let finished = execute(&mut spawner, &order).unwrap();
    assert_eq!(finished.stdout, b"here");
    // Beyond any limit that a kernel sets: all together, and a single one.
    order.environment = (0..100_000).map(|n| (format!("N{n}").into(), value.clone())).collect();
    let error = execute(&mut spawner, &order).unwrap_err().to_string();
    assert!(error.contains("too large: 1"), "{error}");
    order.environment = vec![("ONE".into(), "v".repeat(200_000).into())];
    let error = execute(&mut spawner, &order).unwrap_err().to_string();
    assert!(error.contains("128 KiB"), "{error}");
    assert_eq!(execute(&mut spawner, &script("exit 3")).unwrap().ending, Ending::Exited(3));
}

fn nul_byte() {
    let mut spawner = spawner();
    let mut order = script(":");
    order.environment.push(("A".into(), "b\0c".into()));
    let error = execute(&mut spawner, &order).unwrap_err().to_string();
    assert!(error.starts_with("an environment variable contains a NUL byte"), "{error}");
}

fn kill_9(pid: u32) {
    let status = std::process::Command::new("/bin/sh")
        .args(["-c", &format!("kill -9 {pid}")])
        .status()
        .unwrap();
    assert!(status.success());
}

fn server_gone() {
    let mut spawner = spawner();
    let pid = spawner.pid();
    kill_9(pid);
    eventually("the server is dead", || !runs(&pid.to_string()));
    for _ in 0..2 {
        let error = execute(&mut spawner, &script(":")).unwrap_err();
        assert!(matches!(error, ExecuteError::SpawnerGone { .. }), "{error}");
        assert!(error.to_string().contains("signal 9 killed it"), "{error}");
    }
}

fn server_gone_in_mid_run() {
    let folder = Folder::new("mid-run");
    let mut spawner = spawner();
    let mut order = script("echo $$ >$OUT; kill -9 $PPID; exec sleep 1000");
    order.environment.push(("OUT".into(), folder.file("pid").into()));
    let error = execute(&mut spawner, &order).unwrap_err();
    assert!(error.to_string().contains("signal 9 killed it"), "{error}");
    let pid = &words(&folder.file("pid"), 1)[0];
    eventually("the command dies", || !runs(pid));
}

fn client_killed() {
    let folder = Folder::new("client");
    let out = folder.file("pids");
    // In the group, and out of it.
    let text = format!(
        "sleep 1000 & a=$!; setsid sleep 1000 & echo $PPID $$ $a $! >{}; wait",
        out.display()
    );
    let mut client = std::process::Command::new(this_program())
        .args(["__play", "client", &text])
        .spawn()
        .unwrap();
    let pids = words(&out, 4);
    assert!(pids.iter().all(|pid| runs(pid)), "{pids:?}");
    client.kill().unwrap();
    client.wait().unwrap();
    for pid in &pids {
        eventually("all are dead", || !runs(pid));
    }
}

fn announced_waits() {
    let folder = Folder::new("announced");
    let out = folder.file("ran");
    let order = script(&format!("echo $$ >{}; exit 5", out.display()));
    let mut spawner = spawner();
    let mut announced = None;
    let mut on_start = |pid: u32| {
        // Long enough for a command that does not wait to be seen.
        std::thread::sleep(Duration::from_millis(100));
        assert!(!out.exists(), "it ran before its word");
        assert!(runs(&pid.to_string()));
        announced = Some(pid);
    };
    let finished =
        spawner.execute_announced(&order, None, &mut on_start, &mut |_| Wait::Continue).unwrap();
    assert_eq!(finished.ending, Ending::Exited(5));
    assert_eq!(words(&out, 1), [announced.unwrap().to_string()]);
    // The wait is not the command's time, and other orders go on as ever.
    assert_eq!(execute(&mut spawner, &script("exit 6")).unwrap().ending, Ending::Exited(6));
}

fn announced_errors() {
    let mut spawner = spawner();
    let mut announced = 0;
    let order = Order::new("/no/such/program", vec!["x".into()]);
    let error = spawner
        .execute_announced(&order, None, &mut |_| announced += 1, &mut |_| Wait::Continue)
        .unwrap_err();
    let ExecuteError::Start(error) = error else { panic!("{error}") };
    assert_eq!(error.step, SpawnStep::Execute);
    assert_eq!(announced, 1);
    // Refused before there is a process.
    let mut order = script("true");
    order.cpu = Some(1 << 40);
    let error = spawner
        .execute_announced(&order, None, &mut |_| announced += 1, &mut |_| Wait::Continue)
        .unwrap_err();
    let ExecuteError::Start(error) = error else { panic!("{error}") };
    assert_eq!((error.step, announced), (SpawnStep::Pin, 1));
    assert_eq!(execute(&mut spawner, &script("exit 6")).unwrap().ending, Ending::Exited(6));
}

fn announced_client_killed() {
    let folder = Folder::new("announced-client");
    let (out, ran) = (folder.file("pid"), folder.file("ran"));
    let mut client = std::process::Command::new(this_program())
        .args(["__play", "announced_client"])
        .args([&out, &ran])
        .spawn()
        .unwrap();
    let pid = words(&out, 1).remove(0);
    client.kill().unwrap();
    client.wait().unwrap();
    eventually("the command dies", || !runs(&pid));
    assert!(!ran.exists());
}

fn starting_thread_may_end() {
    let mut spawner = std::thread::spawn(spawner).join().unwrap();
    assert_eq!(execute(&mut spawner, &script("exit 3")).unwrap().ending, Ending::Exited(3));
    // Also while a command runs.
    let (send, receive) = std::sync::mpsc::channel();
    let starter = std::thread::spawn(move || {
        send.send(harness::spawner()).unwrap();
        std::thread::sleep(Duration::from_millis(200));
    });
    let mut spawner = receive.recv().unwrap();
    let finished = execute(&mut spawner, &script("sleep 0.5; exit 4")).unwrap();
    assert_eq!(finished.ending, Ending::Exited(4));
    starter.join().unwrap();
}

fn not_a_server() {
    let error = Spawner::start(Path::new("/bin/true")).unwrap_err();
    assert!(matches!(error, SpawnerError::Silent { .. }), "{error}");
    assert!(error.to_string().contains("it exited with status 0"), "{error}");
    let error = Spawner::start(Path::new("/no/such/program")).unwrap_err();
    assert!(matches!(error, SpawnerError::Start { .. }), "{error}");
}
