// What the page and the program say to each other. Times are seconds after the run's origin.
// The Rust side is `crates/fathom-ui/src/{traces,session}`; JSON that it writes is in `src/fixtures`,
// which the unit tests read by these types.

export type Layer = 'hardware' | 'os' | 'vm' | 'application';
export type Span = [start: number, end: number];
export type Knot = [time: number, height: number];
/** A number, or an end that is not one: JSON has no infinity. */
export type End = number | 'inf' | '-inf';

/** GET api/overview: what was opened. */
export type Overview = TracesOverview | SessionOverview | CheckOverview;

// ---------------------------------------------------------------- traces

export interface TracesOverview {
  kind: 'traces';
  /** As it was typed. */
  title: string;
  /** "fathom ui" and what opens the same traces, for a shell. */
  opens: string;
  runs: RunInfo[];
  metrics: MetricInfo[];
  /** The metric by which runs are aligned unless another is chosen. */
  common: string | null;
  correlators: CorrelatorInfo[];
  /** How metrics are scored unless one says otherwise: in every run takes longer. */
  score_in: ScoreIn;
  /** What a reader should know of the files. */
  notes: string[];
  /** What is shown first where the address says nothing; `selects`: not the target alone, but its windows too. */
  asked: { question: Question; selects: boolean } | null;
}

export interface RunInfo {
  id: string;
  /** When it began, in seconds since 1970, if that is known. */
  origin: number | null;
  metrics: number;
}

export interface MetricInfo {
  name: string;
  layer: Layer;
  unit: string;
  kind: 'gauge' | 'counter' | 'event';
  /** Places in `runs`. */
  runs: number[];
}

export interface CorrelatorInfo {
  name: string;
  family: 'shape' | 'change' | 'both';
  about: string;
}

/** GET api/series?run=&metric=&columns=[&from=&to=]: a metric to draw. Counters as growth per second. */
export interface Series {
  run: string;
  metric: string;
  unit: string;
  /** All of the metric in this run, whatever part is here. */
  start: number;
  end: number;
  rows: number;
  /** Whether a point represents several rows; then `low` and `high` are what they reach. */
  thinned: boolean;
  time: number[];
  /** null where nothing was seen. */
  values: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
}

export type ScoreIn = 'every' | 'nearest';

/** What is asked: the body of POST api/explain and api/segments. */
export interface Question {
  target: string;
  run: string;
  /** None: all of it. */
  windows: Span[];
  baseline: Span | null;
  segments: number | 'auto';
  pattern: Knot[] | null;
  common: string | null;
  normalise: boolean;
  penalty: number;
  correlator: string;
  score_in: ScoreIn;
}

/** The body of POST api/commands, which answers with Commands. */
export interface ViewQuery {
  question: Question;
  /** Whether windows were chosen; otherwise only the target was. */
  selects: boolean;
}

/** What to type in a terminal for what the page shows, quoted for a shell. */
export interface Commands {
  /** Gives the same ranking. */
  explain: string;
  /** Opens the same view. */
  ui: string;
}

/** POST api/explain answers with lines of JSON, each one of these. Hanging up stops the work. */
export type Said =
  | { type: 'progress'; stage: 'aligning' | 'scoring'; done: number; of: number }
  | ({ type: 'ranking' } & Answer)
  | { type: 'error'; message: string };

export interface Answer {
  /** Whether a better one follows: metrics were scored in the nearest run first. */
  provisional: boolean;
  /** How long it took. */
  seconds: number;
  /** The first lines of the terminal's page. */
  sentence: string;
  /** The command that gives the same ranking. */
  command: string;
  explanation: Explanation;
}

/** `fathom explain --format json --include-values`, and `says` in each row. */
export interface Explanation {
  schema: string;
  target: string;
  target_run: string;
  target_unit: string;
  target_change: Change | null;
  target_outline?: (number | null)[];
  windows: Stretch[];
  baseline: Stretch | null;
  segments: number | null;
  pattern?: Knot[];
  common_metric: string | null;
  runs: string[];
  alignment: Alignment[];
  correlator: string;
  ranking: Ranked[];
  excluded: { metric: string; reason: string }[];
  silent_correlators: Record<string, string>;
  /** Whether there is enough data outside the windows for a metric to be significant. */
  enough_context: boolean;
  notes: string[];
}

export interface Stretch {
  start: number;
  end: number;
  first_row: number;
  last_row: number;
}

export interface Alignment {
  run: string;
  cost_per_step: number;
  window: { start: number; end: number } | null;
  windows: { start: number; end: number }[];
  quality?: {
    fit: 'good' | 'fair' | 'poor';
    cost_in_window: number | null;
    relative_cost: number | null;
    against_chance: number | null;
    longest_stretch: number;
    longest_stretch_in_window: number;
    slope: number;
    /** By how many seconds the ends of the window may be off. */
    ends_uncertain: number;
  };
  metrics_scored: number;
  warnings: string[];
}

export interface Ranked {
  rank: number;
  metric: string;
  layer: Layer;
  unit: string;
  score: End | null;
  /** 1 with the target, -1 against it, 0 if that is not said. */
  sign: -1 | 0 | 1;
  /** Seconds; negative: before the target. */
  lag: number | null;
  p_value: number | null;
  q_value: number | null;
  /** What gave it its place in the combined ranking. */
  ranked_by: 'change' | 'shape' | null;
  change: Change | null;
  shape: { r: number; z: End; chance: number; occurrences: number } | null;
  correlators: Record<string, { score: End; rank: number; sign: -1 | 0 | 1 }>;
  run: string;
  scored_in_runs: number;
  same_sign_in_runs: number;
  copy_of: string | null;
  derived: string | null;
  random_walk: boolean;
  /** The small picture, on the same columns as `target_outline`. */
  outline?: (number | null)[];
  /** What the terminal says of it. */
  says: string;
}

export interface Change {
  shift: number;
  relative: number | null;
  z: End;
  constant_before: number | null;
}

/** GET api/warps?run=&target=&common=&normalise=&penalty=: lines of JSON, one per other run. */
export interface Ribbon {
  /** The reference, and the run that is aligned with it. */
  from: string;
  to: string;
  /** The same moments in both, in order: at most a few hundred. */
  here: number[];
  there: number[];
  /** How far apart the two are at each moment, in standard deviations of the common metric. */
  difference: number[];
  fit: 'good' | 'fair' | 'poor';
  cost_per_step: number;
}

/** POST api/segments: the target's lines in each window. */
export interface Segmentation {
  windows: { lines: [from: Knot, to: Knot][] }[];
  /** How many lines in a window at most; what "auto" came to. */
  count: number;
  /** Why there are none. */
  none: string | null;
}

/** POST api/context: whether a metric can be significant with these windows, before anything is scored. */
export interface Context {
  enough: boolean;
  /** What to do if none can. */
  advice: string | null;
}

/** GET api/suggestions?run=&metric= */
export interface Suggestion {
  kind: string;
  about: string;
  windows: Span[];
}

export type Label = 'yes' | 'maybe' | 'no';
/** The labels of one selection: metrics that have to do with the target there. */
export interface WindowLabels {
  target: string;
  run: string;
  /** None: all of the target. */
  windows: Span[];
  labels: Record<string, Label>;
}
/** The body of PUT api/labels: `null` takes the label away. Without a run it is one of `labels`. */
export interface Marking {
  target: string;
  run?: string;
  windows?: Span[];
  metric: string;
  label: Label | null;
}
/** GET api/labels, and the answer of PUT. */
export interface Labels {
  /** By target, then by metric: those of earlier versions, which knew no windows. */
  labels: Record<string, Record<string, Label>>;
  /** By what was selected. */
  of_windows: WindowLabels[];
  /** The file they are kept in; null: nowhere, and why is said in `note`. */
  saved_in: string | null;
  note: string | null;
}

// ---------------------------------------------------------------- sessions

export interface SessionOverview {
  kind: 'session';
  title: string;
  /** The command that opens the same, quoted for a shell. */
  opens: string;
  view: SessionView;
}

/** The body of POST api/session, which answers with a SessionView. */
export interface SessionOptions {
  confidence: number;
  outliers: 'flag' | 'remove' | 'keep';
  outlier_method: 'simplified' | 'full' | 'tukey' | 'mad' | 'adjusted-boxplot';
  steady_state: 'auto' | 'off' | number;
  statistic: 'median' | 'mean' | 'p90' | 'p99';
}

export interface SessionView {
  /** The question's answer in words, and how to colour it. */
  verdict: { sentence: string; tone: 'better' | 'worse' | 'same' | 'unsure' | 'plain' };
  command_line: string;
  /** What cannot be changed here is left out: a comparison's own confidence was fixed before it began. */
  options: SessionOptions;
  /** Why options do not touch the comparison, where there is one. */
  options_note: string | null;
  subjects: SubjectView[];
  comparisons: ComparisonView[];
  /** Functions that were measured with several sizes of their input. */
  growth: GrowthView[];
  /** Commands and series whose runs have amounts of work. */
  work_lines: WorkLineView[];
  warnings: string[];
}

export interface WorkLineView {
  name: string;
  /** The rate and the set-up time. */
  sentence: string;
  /** What work is counted in. */
  work: string;
  /** Of times; empty if it is not known. */
  unit: string;
  /** The mean time of each amount, the smallest first; of very many amounts some. */
  points: { amount: number; time: number; runs: number }[];
  /** The times of no work and of the largest amount, if there is a rate. */
  line: [number, number] | null;
  notes: string[];
}

export interface GrowthView {
  /** Without the argument. */
  name: string;
  /** Which law it follows. */
  sentence: string;
  /** The smallest size first, times in seconds. `used`: growth was judged by it. */
  points: { subject: string; size: number; time: number; lower: End; upper: End; used: boolean }[];
  /** The laws that the times do not reject, as they fit, the nearest first. */
  curves: { law: string; size: number[]; time: number[] }[];
  confidence: number;
  notes: string[];
}

export interface SubjectView {
  name: string;
  unit: string;
  /** "median 12.43 ms, between 12.40 and 12.46 ms". */
  sentence: string;
  /** "1000 samples, first 120 warm-up, 9 flagged, ...". */
  trail: string;
  /** "mean 12.43 ± 0.31 ms, min 11.90, max 13.22 ms". */
  spread?: string | null;
  warnings: string[];
  estimates: EstimateView[];
  /** In time order; of long ones every N-th, outliers always. */
  samples: {
    index: number[];
    values: number[];
    label: ('counts' | 'warmup' | 'outlier')[];
    /** How outliers lie to the others, in time order; `kind` where the rule has clusters. */
    outlying: { index: number; kind: 'standalone' | 'clustered' | null; factor: number }[];
    /** What those before the steady state are, in words. */
    left_out?: string;
    change_points: number[];
    n: number;
    thinned: boolean;
  };
  histogram: { edges: number[]; counts: number[]; beyond: number } | null;
  /** Of samples that count; `band` has all of the distribution at the confidence, where that can be said. */
  ecdf: { x: number[]; p: number[]; band: { lower: number[]; upper: number[] } | null } | null;
  /** r at lags 1, 2, ...; `band`: beyond it a lag is not chance, at 95%. */
  correlogram: { r: number[]; band: number } | null;
}

export interface EstimateView {
  statistic: string;
  value: number;
  lower: End | null;
  upper: End | null;
  confidence: number;
  method: string;
  n_used: number;
  /** Whether the interval holds only if the samples are independent, which so few cannot show. */
  if_independent: boolean;
  text: string;
  /** Why there is no interval. */
  declined: string | null;
}

export interface ComparisonView {
  reference: string;
  subject: string;
  verdict: 'faster' | 'slower' | 'equivalent' | 'inconclusive' | 'mixed';
  sentence: string;
  /** Which statistic the ratio is of, where it is not that of the medians: "p99". */
  of?: string;
  ratio: number;
  lower: End;
  upper: End;
  confidence: number;
  /** What counts as no difference: 0.01 is 1%. */
  margin: number;
  /** Subject over reference, quantile by quantile, with intervals that hold together where there are any. */
  shift: {
    p: number[];
    ratio: number[];
    band: { lower: End[]; upper: End[] } | null;
    /** Of the band, where it is that of the verdict. */
    confidence?: number;
  } | null;
  /** Log-ratios in the order of blocks, where the two were measured side by side. */
  blocks: { log_ratio: number[]; counts: boolean[] } | null;
  notes: string[];
}

// ---------------------------------------------------------------- checks

export interface CheckOverview {
  kind: 'check';
  title: string;
  /** The command that opens the same, quoted for a shell. */
  opens: string;
  view: CheckView;
}

type Verdict = SessionView['verdict'];

export interface CheckView {
  verdict: Verdict;
  command_line: string;
  /** "90% CI". */
  interval_head: string;
  /** What explains the answers to several questions, and which executions failed. */
  notes: string[];
  /** Of a study: a heat map for each question, and configurations compared. */
  grid: DrawnFigure[];
  questions: QuestionView[];
  warnings: string[];
  /** The table of questions for a paper. */
  latex: string;
  markdown: string;
  /** The style of a figure in a file of its own. */
  figure_style: string;
}

export interface QuestionView {
  title: string;
  asked: string;
  group: string | null;
  answer: Verdict;
  verdict: 'true' | 'false' | 'inconclusive' | 'estimate';
  estimate: string;
  interval: string;
  worst: string;
  notes: string[];
  figures: DrawnFigure[];
}

/** A figure that Fathom has drawn. */
export interface DrawnFigure {
  id: string;
  title: string;
  says: string;
  wide: Drawing;
  narrow: Drawing;
  /** What is read out at each mark. */
  readings: string[];
  note: string | null;
  table: { head: string[]; rows: string[][] };
}

export interface Drawing {
  width: number;
  height: number;
  shapes: DrawnShape[];
  marks: { x: number; y: number }[];
}

export type DrawnShape =
  { kind: 'path'; class: string; d: string } | { kind: 'text'; class: string; x: number; y: number; text: string };

// ---------------------------------------------------------------- reports

/** In a report: `<script type="application/json" id="fathom-report">`. */
export interface Report {
  made_by: string;
  made: string;
  overview: Overview;
  /** What data were left out for size, in words. */
  thinned: string | null;
  /** Traces: what to type in a terminal for the question, ranked by each correlator. */
  commands?: Record<string, Commands>;
  /** Traces: the answer, and all that is needed to draw it. */
  question?: Question;
  answer?: Answer;
  series?: Series[];
  ribbons?: Ribbon[];
  segmentation?: Segmentation | null;
  labels?: Labels;
}
