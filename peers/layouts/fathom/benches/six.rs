//! The six functions under fathom-bench.

use fathom_bench::{black_box, Suite};
use six::Inputs;

fn main() -> std::process::ExitCode {
    black_box(six::set_up());
    let inputs: &'static Inputs = Box::leak(Box::new(Inputs::new()));
    let mut suite = Suite::new();
    suite.bench("digest", || six::digest(black_box(&inputs.bytes)));
    suite.bench("count_words", || six::count_words(black_box(&inputs.text)));
    suite.bench("sum_of_numbers", || six::sum_of_numbers(black_box(&inputs.numbers)));
    suite.bench("found", || six::found(black_box(&inputs.sorted), black_box(&inputs.keys)));
    suite.bench("median", || six::median(black_box(&inputs.few)));
    suite.bench("distance", || six::distance(black_box(&inputs.words.0), &inputs.words.1));
    suite.run()
}
