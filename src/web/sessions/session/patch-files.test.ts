import { expect, test } from 'vitest';
import { patchFiles } from './patch-files.js';

const PATCH = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@
 one
--- two
+++ three
diff --git a/new file b/new file
new file mode 100644
--- /dev/null
+++ b/new file\t
@@ -0,0 +1 @@
+diff --git a/x b/x
diff --git a/old b/old
deleted file mode 100644
--- a/old
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/cat.png b/cat.png
Binary files a/cat.png and b/cat.png differ
`;

test('splits a patch into files with their lines', () => {
  const files = patchFiles(PATCH);
  expect(files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['src/a.ts', 1, 1],
    ['new file', 1, 0],
    ['old', 0, 1],
    ['cat.png', 0, 0],
  ]);
  expect(files[0]?.lines.map(({ tone }) => tone)).toEqual(['place', '', 'removed', 'added']);
  expect(files[3]?.lines).toEqual([{ text: 'Binary files a/cat.png and b/cat.png differ', tone: '' }]);
});

test('a text without files has none', () => expect(patchFiles('')).toEqual([]));
