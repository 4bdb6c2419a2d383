/** Generated from protocol/ by `npm run generate`; do not edit. The schema of each message's data, and of what is not a message. */
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
        "description": "The details, as markdown."
      },
      "suggestedAction": {
        "type": "string",
        "description": "An action that would help."
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
        "description": "The error."
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
        "description": "The file or place."
      },
      "recoverable": {
        "type": "boolean",
        "description": "True if the agent continues."
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
        "description": "The question."
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
        "description": "Context for the decision, as markdown."
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
        "description": "The work to review."
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
        "description": "Notes for the reviewer, as markdown."
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
        "description": "The current step."
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
        "description": "A summary of the work."
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
        "description": "The task, with everything that the agent has to know: it knows nothing of you."
      },
      "outputs": {
        "type": "array",
        "items": {
          "type": "string",
          "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"
        },
        "minItems": 1,
        "description": "Names of the fields of the JSON object that it must return. Without them, it returns text."
      }
    },
    "additionalProperties": false,
    "required": [
      "role",
      "task"
    ]
  },
  "completion-report": {
    "type": "object",
    "properties": {
      "summary": {
        "type": "string",
        "pattern": "\\S",
        "description": "A summary in one or two sentences."
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
      },
      "outcome": {
        "enum": [
          "completed",
          "failed"
        ],
        "description": "Default: completed."
      }
    },
    "required": [
      "summary"
    ],
    "additionalProperties": true
  },
  "planner-output": {
    "type": "object",
    "properties": {
      "type": {
        "enum": [
          "plan",
          "questions",
          "error"
        ],
        "description": "The kind."
      },
      "summary": {
        "type": "string",
        "pattern": "\\S",
        "description": "Of a plan: what will be done, in a sentence or two."
      },
      "requirements": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Of a plan: what must hold."
      },
      "acceptanceCriteria": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Of a plan: how it is seen that it is done."
      },
      "plan": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Of a plan: the steps."
      },
      "assignedAgent": {
        "type": "string",
        "pattern": "\\S",
        "description": "Of a plan: the agent that shall do it, by its name."
      },
      "questions": {
        "type": "array",
        "items": {
          "type": "string",
          "pattern": "\\S",
          "description": "One question."
        },
        "minItems": 1,
        "maxItems": 20,
        "description": "Of questions: what the person must say before there can be a plan."
      },
      "error": {
        "type": "string",
        "pattern": "\\S",
        "description": "Of an error: why it cannot be planned."
      }
    },
    "required": [
      "type"
    ],
    "allOf": [
      {
        "if": {
          "properties": {
            "type": {
              "const": "plan"
            }
          },
          "required": [
            "type"
          ]
        },
        "then": {
          "required": [
            "summary",
            "requirements",
            "acceptanceCriteria",
            "plan"
          ]
        }
      },
      {
        "if": {
          "properties": {
            "type": {
              "const": "questions"
            }
          },
          "required": [
            "type"
          ]
        },
        "then": {
          "required": [
            "questions"
          ]
        }
      },
      {
        "if": {
          "properties": {
            "type": {
              "const": "error"
            }
          },
          "required": [
            "type"
          ]
        },
        "then": {
          "required": [
            "error"
          ]
        }
      }
    ],
    "additionalProperties": true
  }
} as const;
