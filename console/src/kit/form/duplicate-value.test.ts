import { describe, expect, it } from 'vitest'
import { Problem } from '../../lib/problem'
import { rethrowDuplicate } from './duplicate-value'

const rethrow = rethrowDuplicate({ field: 'name', indexName: 'names_idx', message: 'Name in use.' })
const catchRethrown = (error: unknown) => {
  try {
    return rethrow(error)
  } catch (thrown) {
    return thrown
  }
}

describe('a duplicate that the server refuses', () => {
  it('becomes a field error, whether the server names the field or the index', () => {
    for (const body of [
      { msg: "Duplicate entry 'x' for key 'other'", field: 'name' },
      { msg: "Duplicate entry 'x' for key 'names_idx'" },
    ])
      expect(catchRethrown(new Problem(422, body))).toMatchObject({ status: 422, msg: 'Name in use.', field: 'name' })
  })

  it('leaves other errors unchanged', () => {
    const unrelatedErrors = [
      new Problem(422, { msg: "Duplicate entry 'x' for key 'other'" }),
      new Problem(400, { msg: 'name is too long', field: 'name' }),
      new Error('broken'),
    ]
    for (const error of unrelatedErrors) expect(catchRethrown(error)).toBe(error)
  })
})
