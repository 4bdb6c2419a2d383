/** The table of the schema errors of a result or a definition. It has at most MAX_ROWS rows. */
import type { SchemaError } from '../../protocol/index.js';
import { line } from '../text/label-text.js';

const MAX_ROWS = 200;

/** Errors of a result, each with its place. */
export function ErrorTable({ errors }: { readonly errors: readonly SchemaError[] }) {
  return (
    <table className="errors">
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">Problem</th>
        </tr>
      </thead>
      <tbody>
        {errors.slice(0, MAX_ROWS).map(({ path, message }) => (
          <tr key={`${path} ${message}`}>
            <td>{line(path)}</td>
            <td>{line(message, 1000)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
