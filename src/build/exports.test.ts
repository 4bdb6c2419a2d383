/** Finds exports that no other file imports. Such a name is private to its file, or dead. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Generated files, whose names depend on the schemas, and the library, whose names other programs import. */
const PUBLIC = /\/generated\/|^src\/client\/library\.ts$/;

const PARSED: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};
/** Matches a relative path in parentheses: that of a call, or of a type. */
const NESTED_PATH = /\(\s*['"`]\.\.?\//;

interface Module {
  readonly exports: readonly string[];
  /** Names by the file that they come from. `*` stands for all of them. */
  readonly imports: readonly (readonly [from: string, name: string])[];
}

const files = ['src', 'test', 'docs/.vitepress'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/node_modules|cache|dist/.test(file))
    .map((file) => join(folder, file)),
);
const known = new Set(files);

function fileOf(from: string, path: string): string | undefined {
  const target = relative(ROOT, join(ROOT, dirname(from), path)).replace(/\.js$/, '');
  return [target, `${target}.ts`, `${target}.tsx`].find((file) => known.has(file));
}

function read(file: string): Module {
  const exported: string[] = [];
  const imports: [string, string][] = [];
  const take = (path: ts.Node | undefined, names: readonly string[]): void => {
    const target = path && ts.isStringLiteralLike(path) ? fileOf(file, path.text) : undefined;
    if (target !== undefined) imports.push(...names.map((name): [string, string] => [target, name]));
  };
  const visitStatement = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) take(node.moduleSpecifier, importedNames(node.importClause));
    else if (ts.isExportDeclaration(node)) {
      const clause = node.exportClause;
      const names = clause && ts.isNamedExports(clause) ? clause.elements : null;
      take(node.moduleSpecifier, names?.map(({ propertyName, name }) => (propertyName ?? name).text) ?? ['*']);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) take(node.argument.literal, ['*']);
    else if (ts.isCallExpression(node)) take(node.arguments[0], ['*']);
    else if (ts.isNewExpression(node)) take(node.arguments?.[0], ['*']);
    else if (isExported(node)) exported.push(...declaredNames(node));
  };
  const visit = (node: ts.Node): void => {
    visitStatement(node);
    ts.forEachChild(node, visit);
  };
  const text = readFileSync(join(ROOT, file), 'utf8');
  const source = ts.createSourceFile(file, text, PARSED);
  // Most files import and export in their statements only: to visit each node of them would take seconds.
  if (NESTED_PATH.test(text)) visit(source);
  else source.statements.forEach(visitStatement);
  return { exports: exported, imports };
}

function importedNames(clause: ts.ImportClause | undefined): readonly string[] {
  const bindings = clause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return ['*'];
  return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
}

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function declaredNames(node: ts.Node): readonly string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  const { name } = node as ts.Node & { readonly name?: ts.Node };
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

test('every exported name is imported somewhere', () => {
  const modules = new Map(files.map((file) => [file, read(file)]));
  const used = new Set([...modules.values()].flatMap(({ imports }) => imports.map((pair) => pair.join(' '))));
  const needless = [...modules].flatMap(([file, { exports: names }]) =>
    PUBLIC.test(file) || !file.startsWith('src/') || used.has(`${file} *`)
      ? []
      : names.filter((name) => !used.has(`${file} ${name}`)).map((name) => `${file} ${name}`),
  );
  expect(needless).toEqual([]);
});
