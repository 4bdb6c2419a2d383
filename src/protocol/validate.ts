/**
 * Validates messages of agents and inputs of clients against the protocol's schemas. Never throws for invalid input; it
 * returns errors with paths.
 */

import type { SchemaError } from './generated/types.js';
import * as validators from './generated/validators.js';
import { MESSAGES, type MessageType } from './messages/index.js';
import { type OperationName, shapeName } from './operations.js';
import { type AjvFinding, explainFindings } from './schema-errors.js';
import { type OwnTool, TOOL_SHAPES } from './tool-shapes.js';

type Validator = ((value: unknown) => boolean) & { errors?: readonly AjvFinding[] | null };
const all = validators as unknown as Record<string, Validator | undefined>; // generated without types

/** The validators of messages, looked up once, because there are many messages. */
const ofMessages = new Map<MessageType, Validator>();

/** @returns All errors, in words; [] for a valid message. */
export function validateMessage(type: MessageType, message: unknown): SchemaError[] {
  const validator = ofMessages.get(type) ?? validatorOf(MESSAGES[type].shape);
  ofMessages.set(type, validator);
  return run(validator, message);
}

/**
 * Validates an agent's definition against its schema.
 * @returns All errors, in words.
 */
export function validateDefinition(definition: unknown): SchemaError[] {
  return check('BlueprintDefinition', definition);
}

/**
 * Validates the input of a tool that is not a message.
 * @returns All errors, in words.
 */
export function validateToolInput(tool: OwnTool, input: unknown): SchemaError[] {
  return check(TOOL_SHAPES[tool], input);
}

/** @returns All errors, in words; [] for valid input. */
export function validateInput(operation: OperationName, input: unknown): SchemaError[] {
  return check(`${shapeName(operation)}Input`, input);
}

function check(shape: string, value: unknown): SchemaError[] {
  return run(validatorOf(shape), value);
}

function run(validator: Validator, value: unknown): SchemaError[] {
  return validator(value) ? [] : explainFindings(validator.errors ?? [], value);
}

function validatorOf(shape: string): Validator {
  const validator = all[`validate${shape}`];
  if (!validator) throw new Error(`no validator for ${shape}`);
  return validator;
}
