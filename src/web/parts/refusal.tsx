/** Says why a key or a button did nothing. Screen readers read it when it appears. */
export const Refusal = ({ words }: { readonly words: string }) => (
  <div role="status">{words !== '' && <p className="notice warn refusal">{words}</p>}</div>
);
