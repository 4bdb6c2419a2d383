import { expect, test } from 'vitest';
import { workProblem } from './work-problem.js';

test('a label that the server refuses is named with the option that permits it', () => {
  const consumer = 'orchd_work.label_big-disk.orchd.*.work.big-disk.*';
  const words = workProblem(`Permissions Violation for Publish to "$JS.API.CONSUMER.CREATE.${consumer}"`, 'build');
  expect(words).toContain('"big-disk"');
  expect(words).toContain('`orchd hub config --label build=big-disk`');
});

test('any other reason stays as it is', () => {
  expect(workProblem('no response from the server', 'build')).toBe('no response from the server');
});
