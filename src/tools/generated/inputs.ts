/** Generated from protocol/ by `npm run generate`; do not edit. The schema of each message's data, and of what is no message. */
export const INPUTS = {
  "BLOCKED": {
    "type": "object",
    "properties": {
      "reason": {
        "type": "string",
        "pattern": "\\S",
        "description": "Why."
      },
      "details": {
        "type": "string",
        "description": "What exactly happened, as markdown."
      },
      "suggestedAction": {
        "type": "string",
        "description": "What would help."
      }
    },
    "required": [
      "reason"
    ]
  },
  "ERROR": {
    "type": "object",
    "properties": {
      "message": {
        "type": "string",
        "pattern": "\\S",
        "description": "What went wrong."
      },
      "severity": {
        "enum": [
          "info",
          "warning",
          "error",
          "critical"
        ],
        "description": "How bad it is."
      },
      "file": {
        "type": "string",
        "description": "Where."
      },
      "recoverable": {
        "type": "boolean",
        "description": "Whether the agent goes on."
      }
    },
    "required": [
      "message"
    ]
  },
  "QUESTION": {
    "type": "object",
    "properties": {
      "question": {
        "type": "string",
        "pattern": "\\S",
        "description": "What is asked."
      },
      "options": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Answers to choose from; they count from 1, and their text is what is sent."
      },
      "context": {
        "type": "string",
        "description": "What helps to decide, as markdown."
      },
      "default": {
        "type": "string",
        "description": "The answer that is given by itself when `deadlineSeconds` have passed."
      },
      "deadlineSeconds": {
        "type": "number",
        "minimum": 0,
        "description": "Seconds after which `default` is the answer. Has no effect without `default`."
      }
    },
    "required": [
      "question"
    ]
  },
  "REQUEST_REVIEW": {
    "type": "object",
    "properties": {
      "description": {
        "type": "string",
        "pattern": "\\S",
        "description": "What is to be reviewed."
      },
      "files": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Paths."
      },
      "notes": {
        "type": "string",
        "description": "What the reviewer should know, as markdown."
      }
    },
    "required": [
      "description"
    ]
  },
  "STATUS_UPDATE": {
    "type": "object",
    "properties": {
      "progress": {
        "type": "number",
        "minimum": 0,
        "maximum": 100,
        "description": "Percent."
      },
      "currentStep": {
        "type": "string",
        "description": "What it is doing."
      },
      "totalSteps": {
        "type": "integer",
        "minimum": 0,
        "description": "How many steps there are."
      },
      "completedSteps": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "The steps that are done."
      }
    },
    "anyOf": [
      {
        "required": [
          "currentStep"
        ]
      },
      {
        "required": [
          "progress"
        ]
      }
    ]
  },
  "TASK_COMPLETE": {
    "type": "object",
    "properties": {
      "summary": {
        "type": "string",
        "pattern": "\\S",
        "description": "What was accomplished."
      },
      "filesChanged": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Paths."
      },
      "commitHash": {
        "type": "string",
        "description": "The commit that holds the change."
      }
    },
    "required": [
      "summary"
    ]
  },
  "spawn_agent": {
    "type": "object",
    "properties": {
      "role": {
        "type": "string",
        "pattern": "\\S",
        "description": "A blueprint by its name; any other words say what the agent is, which is of your own kind then."
      },
      "task": {
        "type": "string",
        "pattern": "\\S",
        "description": "What it shall do, with all that it has to know: it knows nothing of you."
      },
      "outputs": {
        "type": "array",
        "items": {
          "type": "string",
          "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"
        },
        "minItems": 1,
        "description": "Names of the fields that it shall return, as a JSON object. Without, it returns text."
      }
    },
    "additionalProperties": false,
    "required": [
      "role",
      "task"
    ]
  }
} as const;
