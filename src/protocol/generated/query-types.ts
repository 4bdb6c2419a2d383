/** Generated from protocol/ by `npm run generate`; do not edit. Which query fields of each operation without a body are not text. */
export const QUERY_TYPES: Record<string, Record<string, string> | undefined> = {
  "session.list": {
    "all": "boolean"
  },
  "session.capture": {
    "ansi": "boolean",
    "scrollback": "integer"
  },
  "session.journal": {
    "from": "integer"
  },
  "session.changes": {
    "patch": "boolean"
  },
  "session.wait": {
    "timeout_ms": "integer"
  },
  "event.list": {
    "since": "integer",
    "follow": "boolean",
    "type": "array",
    "limit": "integer"
  },
  "inbox.list": {
    "all": "boolean",
    "stalled": "boolean"
  },
  "blueprint.list": {
    "all_projects": "boolean"
  },
  "run.list": {
    "limit": "integer"
  },
  "run.wait": {
    "timeout_ms": "integer"
  },
  "task.list": {
    "limit": "integer"
  },
  "task.wait": {
    "timeout_ms": "integer"
  },
  "workflow.list": {
    "limit": "integer"
  },
  "workflow.show": {
    "brief": "boolean"
  },
  "workflow.wait": {
    "timeout_ms": "integer"
  },
  "hub.events": {
    "type": "array",
    "limit": "integer",
    "wait_ms": "integer"
  }
};
