import { describe, expect, it } from 'vitest'
import { Problem } from '../../lib/problem'
import { rethrowDuplicate } from './duplicate-value'

const say = rethrowDuplicate({ field: 'name', indexName: 'names_idx', message: 'Taken.' })
const thrownBy = (error: unknown) => {
  try {
    return say(error)
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
      expect(thrownBy(new Problem(422, body))).toMatchObject({ status: 422, msg: 'Taken.', field: 'name' })
  })

  it('leaves other errors unchanged', () => {
    const others = [
      new Problem(422, { msg: "Duplicate entry 'x' for key 'other'" }),
      new Problem(400, { msg: 'name is too long', field: 'name' }),
      new Error('broken'),
    ]
    for (const other of others) expect(thrownBy(other)).toBe(other)
  })
})
