import java.util.ArrayDeque;
/** Allocates, keeps some, and collects once explicitly. */
public class Allocate {
    public static void main(String[] a) throws Exception {
        ArrayDeque<byte[]> kept = new ArrayDeque<>();
        long sum = 0;
        for (int i = 0; i < 60_000; i++) {
            byte[] b = new byte[4096 + (i % 7) * 512];
            b[i % 4096] = 1;
            if (i % 4 == 0) kept.add(b);
            if (kept.size() > 4000) kept.poll();
            sum += b.length;
            if (i == 30_000) System.gc();
        }
        System.out.println(sum + " " + kept.size());
    }
}
