//! What Fathom writes, and in which format.

use super::values::value;
use clap::{Args, ValueEnum};
use fathom_record::TimeUnit;
use fathom_record::whole_file::is_standard_output;
use fathom_render::Detail;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Choose the format of standard output
    #[arg(long, value_enum, default_value_t = OutputFormat::Human, value_name = "FORMAT")]
    pub(crate) format: OutputFormat,

    /// Include every value in --format json
    #[arg(long)]
    pub(crate) include_values: bool,

    /// Show times in this unit: ns, us, ms, s, min or h
    #[arg(short = 'u', long, value_name = "UNIT", value_parser = value::<TimeUnit>)]
    pub(crate) time_unit: Option<TimeUnit>,

    /// Show only the answer: no charts, no notes
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Show more: the spread, the order statistics, the method
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Also write JSON with every value; `-` is standard output. Fathom replaces a file once the new
    /// one is complete, and replaces a link instead of following it
    #[arg(long, value_name = "FILE")]
    pub(crate) export_json: Option<PathBuf>,

    /// Also write CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) export_csv: Option<PathBuf>,

    /// Also write a Markdown table
    #[arg(long, value_name = "FILE")]
    pub(crate) export_markdown: Option<PathBuf>,

    /// Also write an AsciiDoc table
    #[arg(long, value_name = "FILE")]
    pub(crate) export_asciidoc: Option<PathBuf>,

    /// Also write an Org-mode table
    #[arg(long, value_name = "FILE")]
    pub(crate) export_orgmode: Option<PathBuf>,

    /// Also write a LaTeX table, which needs no package
    #[arg(long, value_name = "FILE")]
    pub(crate) export_latex: Option<PathBuf>,
}

impl OutputArguments {
    /// How much of the answer is wanted.
    pub(crate) fn detail(&self) -> Detail {
        Detail::of(self.quiet, self.verbose)
    }

    /// The files to write, in the order of writing.
    pub(crate) fn exports(&self) -> impl Iterator<Item = &PathBuf> {
        let all = [
            &self.export_json,
            &self.export_csv,
            &self.export_markdown,
            &self.export_asciidoc,
            &self.export_orgmode,
            &self.export_latex,
        ];
        all.into_iter().flatten()
    }

    /// The same with absolute paths, so that a later change of folder does not matter.
    pub(crate) fn anchored(mut self) -> std::io::Result<OutputArguments> {
        let all = [
            &mut self.export_json,
            &mut self.export_csv,
            &mut self.export_markdown,
            &mut self.export_asciidoc,
            &mut self.export_orgmode,
            &mut self.export_latex,
        ];
        all.into_iter().flatten().try_for_each(anchor)?;
        Ok(self)
    }
}

fn anchor(path: &mut PathBuf) -> std::io::Result<()> {
    if !is_standard_output(path) {
        *path = std::path::absolute(&*path)?;
    }
    Ok(())
}

/// Runs in the format of another tool.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct HyperfineArguments {
    /// Also write the runs as hyperfine's JSON, for scripts that read it
    #[arg(long, value_name = "FILE")]
    pub(crate) export_hyperfine_json: Option<PathBuf>,
}

impl HyperfineArguments {
    /// The file to write.
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        self.export_hyperfine_json.as_ref()
    }

    /// The same with an absolute path.
    pub(crate) fn anchored(mut self) -> std::io::Result<HyperfineArguments> {
        self.export_hyperfine_json.iter_mut().try_for_each(anchor)?;
        Ok(self)
    }
}

/// When to use colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn choice(self) -> anstream::ColorChoice {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            // Not AlwaysAnsi: a Windows console may need its own color calls.
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    Human,
    Json,
    Csv,
    Markdown,
    Latex,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Cli, Command};
    use clap::Parser;

    fn output(words: &str) -> OutputArguments {
        let all = ["fathom", "analyze", "x.csv"].into_iter().chain(words.split_whitespace());
        let Command::Analyze(arguments) = Cli::try_parse_from(all).unwrap().command else {
            unreachable!("that is not `analyze`")
        };
        arguments.output
    }

    #[test]
    fn files_are_written_in_their_order_and_where_they_were_asked_for() {
        let all = "--export-latex l --export-orgmode o --export-asciidoc /a --export-markdown - --export-csv ./c \
                   --export-json j";
        let names: Vec<String> =
            output(all).exports().map(|path| path.display().to_string()).collect();
        assert_eq!(names, ["j", "./c", "-", "/a", "o", "l"]);
        let here = std::env::current_dir().unwrap();
        let anchored = output(all).anchored().unwrap();
        let files: Vec<PathBuf> = anchored.exports().cloned().collect();
        assert_eq!(
            files,
            [
                here.join("j"),
                here.join("c"),
                "-".into(),
                "/a".into(),
                here.join("o"),
                here.join("l")
            ]
        );
        assert_eq!(output("").exports().count(), 0);
    }

    #[test]
    fn less_and_more_are_asked_for() {
        let details = ["", "-q", "-v"].map(|words| output(words).detail());
        assert_eq!(details, [Detail::Usual, Detail::Answer, Detail::Everything]);
    }
}
