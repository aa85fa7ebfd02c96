import { OperationNodeTransformer } from 'kysely'
import type { KyselyPlugin, PrimitiveValueListNode, ValueNode } from 'kysely'
import { UnstorableValue } from './errors'
import { toColumnTime } from './time'

/**
 * Makes one value fit for both drivers. SQLite's throws at a boolean, and MySQL's would spread a plain object into
 * the statement as `key` = value, so an object that slipped through validation stops here.
 */
export const toBindable = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return toColumnTime(value)
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    throw new UnstorableValue('Only text, numbers, dates and bytes can be stored in a column')
  }
  return value
}

class BindTransformer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    // An immediate value is part of the statement's text, where both engines know true and false.
    return node.immediate ? node : { ...node, value: toBindable(node.value) }
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(toBindable) }
  }
}

/** Kysely plugin: every bound value passes through `bindable`. */
export const bindValuesPlugin = (): KyselyPlugin => {
  const transformer = new BindTransformer()
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: ({ result }) => Promise.resolve(result),
  }
}
