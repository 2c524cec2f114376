import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * A bank in an HSQLDB database inside this very process, with phases that a trace should show:
 *
 * 1 load          inserts the accounts
 * 2 transactions  reads and changes accounts at random, and commits each time
 * 3 index         creates indexes
 * 4 scan          reads whole tables and adds them up
 *
 * Between two phases it has the collector run. How far it is, it says on standard output, a line of
 * metrics each time. The work follows from the options and the seed, and its checksum is printed at
 * the end; only us_per_op depends on the machine.
 */
public final class Phases {
    private static final String USAGE = """
        usage: java -cp hsqldb.jar Phases.java [OPTION VALUE]...
          --rows N            accounts to load (100000)
          --transactions N    transactions to commit (200000)
          --scans N           scans of all accounts (60)
          --seed N            what is random follows from it (1)
          --quick             a fifth of the work, unless the numbers above are given
          --json              metrics as JSON lines instead of name=value
          --database FOLDER   on disk, in that folder, instead of in memory
          --anomaly KIND      something goes wrong amid the transactions:
                              collect     the collector runs again and again
                              lock        somebody else locks the accounts
                              checkpoint  the database is written out (with --database)
          --anomaly-at F      the share of the transactions before it (0.5)
          --anomaly-for F     the share of the transactions that it lasts (0.1)
        """;

    /** So many lines of metrics for each phase that can be divided. */
    private static final int LINES_PER_PHASE = 100;
    /** The anomaly strikes so often while it lasts. */
    private static final int STRIKES = 20;
    private static final int BRANCHES = 50;
    private static final String[] INDEXES = {
        "by_branch ON accounts (branch)",
        "by_balance ON accounts (balance)",
        "by_owner ON accounts (owner)",
        "by_account ON history (account)",
        "by_amount ON history (amount)",
    };

    private final Options options;
    private final Random random;
    private final Connection bank;
    private final Metrics metrics;

    public static void main(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.read(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.print("Phases: " + wrong.getMessage() + "\n" + USAGE);
            System.exit(2);
            return;
        }
        try (Connection bank = connect(options)) {
            new Phases(options, bank).run();
        }
    }

    private Phases(Options options, Connection bank) {
        this.options = options;
        this.random = new Random(options.seed);
        this.bank = bank;
        this.metrics = new Metrics(options.json);
    }

    private static Connection connect(Options options) throws SQLException {
        // Without HSQLDB's own log lines, which would change the process's logging for nothing.
        System.setProperty("hsqldb.reconfig_logging", "false");
        String place = options.database == null ? "mem:bank" : "file:" + options.database + "/bank";
        return DriverManager.getConnection("jdbc:hsqldb:" + place + ";shutdown=true", "SA", "");
    }

    private void run() throws SQLException, InterruptedException {
        createTables();
        metrics.phase(1);
        load();
        collectorRuns();
        metrics.phase(2);
        transactions();
        collectorRuns();
        metrics.phase(3);
        index();
        collectorRuns();
        metrics.phase(4);
        scan();
        metrics.say();
        System.err.println("checksum " + checksum());
    }

    private void createTables() throws SQLException {
        // On disk only a part is kept in memory, so that reading is reading.
        String table = options.database == null ? "CREATE MEMORY TABLE " : "CREATE CACHED TABLE ";
        bank.setAutoCommit(false);
        // Of an earlier run in the same folder.
        execute("DROP TABLE accounts IF EXISTS");
        execute("DROP TABLE history IF EXISTS");
        execute(table + "accounts (id INTEGER PRIMARY KEY, branch INTEGER, balance BIGINT, owner VARCHAR(40))");
        execute(table + "history (id INTEGER PRIMARY KEY, account INTEGER, amount BIGINT)");
        bank.commit();
    }

    private void load() throws SQLException {
        try (PreparedStatement insert = bank.prepareStatement("INSERT INTO accounts VALUES (?, ?, ?, ?)")) {
            for (int id = 0; id < options.rows; id++) {
                insert.setInt(1, id);
                insert.setInt(2, random.nextInt(BRANCHES));
                insert.setLong(3, random.nextInt(1_000_000));
                insert.setString(4, owner());
                insert.executeUpdate();
                metrics.rows++;
                metrics.operations++;
                if (isLineDue(id, options.rows)) {
                    bank.commit();
                    metrics.say();
                }
            }
            bank.commit();
        }
    }

    private void transactions() throws SQLException, InterruptedException {
        int begin = (int) (options.transactions * options.anomalyAt);
        int length = (int) (options.transactions * options.anomalyFor);
        int stride = Math.max(1, length / STRIKES);
        try (PreparedStatement read = bank.prepareStatement("SELECT balance FROM accounts WHERE id = ?");
             PreparedStatement update = bank.prepareStatement("UPDATE accounts SET balance = ? WHERE id = ?");
             PreparedStatement insert = bank.prepareStatement("INSERT INTO history VALUES (?, ?, ?)")) {
            for (int number = 0; number < options.transactions; number++) {
                int since = number - begin;
                if (options.anomaly != null && since >= 0 && since < length && since % stride == 0) {
                    strike(options.anomaly);
                }
                int account = random.nextInt(options.rows);
                long amount = random.nextInt(2000) - 1000;
                long balance = balance(read, account);
                // Some only look.
                if (random.nextInt(4) != 0) {
                    update.setLong(1, balance + amount);
                    update.setInt(2, account);
                    update.executeUpdate();
                    insert.setInt(1, number);
                    insert.setInt(2, account);
                    insert.setLong(3, amount);
                    insert.executeUpdate();
                    metrics.rows++;
                }
                bank.commit();
                metrics.transactions++;
                metrics.operations++;
                if (isLineDue(number, options.transactions)) {
                    metrics.say();
                }
            }
        }
    }

    private void index() throws SQLException {
        for (String index : INDEXES) {
            execute("CREATE INDEX " + index);
            bank.commit();
            metrics.indexes++;
            metrics.operations++;
            metrics.say();
        }
    }

    private void scan() throws SQLException {
        // The added zeros keep indexes out of it.
        String byBranch = "SELECT branch, COUNT(*), SUM(balance), MAX(owner) FROM accounts GROUP BY branch + 0, branch";
        String byOwner = "SELECT COUNT(*), AVG(balance + 0) FROM accounts WHERE owner LIKE '%q%z%'";
        for (int number = 0; number < options.scans; number++) {
            try (Statement statement = bank.createStatement();
                 ResultSet result = statement.executeQuery(number % 2 == 0 ? byBranch : byOwner)) {
                while (result.next()) {
                    result.getLong(1);
                }
            }
            bank.commit();
            metrics.scanned += options.rows;
            metrics.operations++;
            if (isLineDue(number, options.scans)) {
                metrics.say();
            }
        }
    }

    private void strike(Anomaly anomaly) throws SQLException, InterruptedException {
        switch (anomaly) {
            case COLLECT -> System.gc();
            case LOCK -> lockFor(40);
            case CHECKPOINT -> execute("CHECKPOINT");
        }
    }

    /** Somebody else has the accounts for a while; whoever reads them next waits until the end. */
    private void lockFor(int milliseconds) throws SQLException, InterruptedException {
        CountDownLatch locked = new CountDownLatch(1);
        Thread rival = new Thread(() -> {
            try (Connection other = connect(options)) {
                other.setAutoCommit(false);
                try (Statement statement = other.createStatement()) {
                    statement.execute("LOCK TABLE accounts WRITE");
                    locked.countDown();
                    Thread.sleep(milliseconds);
                }
                other.rollback();
            } catch (SQLException | InterruptedException failure) {
                System.err.println("Phases: the lock failed: " + failure);
            } finally {
                locked.countDown();
            }
        }, "rival");
        rival.start();
        locked.await();
    }

    private void collectorRuns() {
        System.gc();
        metrics.collected++;
        metrics.say();
    }

    private String checksum() throws SQLException {
        try (Statement statement = bank.createStatement();
             ResultSet result = statement.executeQuery(
                 "SELECT SUM(balance * (id + 1)), (SELECT SUM(amount * (id + 1)) FROM history) FROM accounts")) {
            result.next();
            return result.getBigDecimal(1) + " " + result.getBigDecimal(2);
        }
    }

    private String owner() {
        char[] name = new char[30];
        for (int i = 0; i < name.length; i++) {
            name[i] = (char) ('a' + random.nextInt(26));
        }
        return new String(name);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = bank.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long balance(PreparedStatement read, int account) throws SQLException {
        read.setInt(1, account);
        try (ResultSet result = read.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    private static boolean isLineDue(int done, int all) {
        return (done + 1) % Math.max(1, all / LINES_PER_PHASE) == 0;
    }

    private enum Anomaly { COLLECT, LOCK, CHECKPOINT }

    /** What it says of itself. */
    private static final class Metrics {
        long rows;
        long transactions;
        long indexes;
        long scanned;
        int collected;
        /** Whatever the phase does, of all phases: accounts, transactions, indexes, scans. */
        long operations;
        private int phase;
        private final boolean json;
        private final PrintStream out = System.out;
        private long saidOperations;
        private long saidAt = System.nanoTime();

        Metrics(boolean json) {
            this.json = json;
        }

        void phase(int number) {
            phase = number;
            say();
        }

        /** A line; us_per_op is what an operation took since the last line, where there was one. */
        void say() {
            long now = System.nanoTime();
            StringBuilder line = new StringBuilder();
            add(line, "phase", phase);
            add(line, "rows", rows);
            add(line, "tx", transactions);
            add(line, "indexes", indexes);
            add(line, "scanned", scanned);
            add(line, "collected", collected);
            if (operations > saidOperations) {
                double each = (now - saidAt) / 1e3 / (operations - saidOperations);
                add(line, "us_per_op", String.format(Locale.ROOT, "%.3f", each));
            }
            out.println(json ? "{" + line + "}" : line);
            out.flush();
            saidOperations = operations;
            saidAt = now;
        }

        private void add(StringBuilder line, String name, Object value) {
            line.append(line.isEmpty() ? "" : json ? "," : " ");
            line.append(json ? "\"" + name + "\":" : name + "=").append(value);
        }
    }

    private static final class Options {
        int rows = 0;
        int transactions = 0;
        int scans = 0;
        long seed = 1;
        boolean quick = false;
        boolean json = false;
        String database = null;
        Anomaly anomaly = null;
        double anomalyAt = 0.5;
        double anomalyFor = 0.1;

        static Options read(String[] arguments) {
            Options options = new Options();
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--quick" -> options.quick = true;
                    case "--json" -> options.json = true;
                    case "--rows" -> options.rows = (int) number(arguments, ++i, 1, Integer.MAX_VALUE);
                    case "--transactions" -> options.transactions = (int) number(arguments, ++i, 1, Integer.MAX_VALUE);
                    case "--scans" -> options.scans = (int) number(arguments, ++i, 1, Integer.MAX_VALUE);
                    case "--seed" -> options.seed = number(arguments, ++i, Long.MIN_VALUE, Long.MAX_VALUE);
                    case "--database" -> options.database = value(arguments, ++i);
                    case "--anomaly" -> options.anomaly = anomaly(value(arguments, ++i));
                    case "--anomaly-at" -> options.anomalyAt = share(arguments, ++i);
                    case "--anomaly-for" -> options.anomalyFor = share(arguments, ++i);
                    default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
                }
            }
            if (options.anomaly == Anomaly.CHECKPOINT && options.database == null) {
                throw new IllegalArgumentException("--anomaly checkpoint needs --database: memory has nothing to write out");
            }
            int part = options.quick ? 5 : 1;
            options.rows = options.rows > 0 ? options.rows : 100_000 / part;
            options.transactions = options.transactions > 0 ? options.transactions : 200_000 / part;
            options.scans = options.scans > 0 ? options.scans : 60 / part;
            return options;
        }

        private static String value(String[] arguments, int i) {
            if (i >= arguments.length) {
                throw new IllegalArgumentException(arguments[i - 1] + " needs a value");
            }
            return arguments[i];
        }

        private static long number(String[] arguments, int i, long least, long most) {
            try {
                long number = Long.parseLong(value(arguments, i));
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException wrong) {
                // Said below, with the option's name.
            }
            throw new IllegalArgumentException(
                arguments[i - 1] + " needs a whole number from " + least + " on, not \"" + arguments[i] + "\"");
        }

        private static double share(String[] arguments, int i) {
            try {
                double share = Double.parseDouble(value(arguments, i));
                if (share >= 0 && share <= 1) {
                    return share;
                }
            } catch (NumberFormatException wrong) {
                // Said below, with the option's name.
            }
            throw new IllegalArgumentException(
                arguments[i - 1] + " needs a share between 0 and 1, not \"" + arguments[i] + "\"");
        }

        private static Anomaly anomaly(String name) {
            return switch (name) {
                case "collect" -> Anomaly.COLLECT;
                case "lock" -> Anomaly.LOCK;
                case "checkpoint" -> Anomaly.CHECKPOINT;
                default -> throw new IllegalArgumentException(
                    "--anomaly is collect, lock or checkpoint, not \"" + name + "\"");
            };
        }
    }
}
