import { describe, expect, it } from 'vitest'
import { deleted, Register, type Interval } from './registers'

const between = (startMs: number, endMs: number): Interval => ({ startMs, endMs })

const createRegister = () => {
  const register = new Register('field')
  register.write('a', between(0, 1))
  return register
}

describe('the history of a field', () => {
  it('accepts reads that some order of the operations explains', () => {
    const register = createRegister()
    register.write('b', between(10, 20))
    register.write('c', between(12, 18))
    register.read('a', between(2, 11))
    register.read('c', between(13, 14))
    register.read('b', between(19, 30))
    register.write(deleted, between(40, 50))
    register.read('b', between(45, 49))
    register.read(deleted, between(46, 60))
    expect(register.findViolations()).toEqual([])
  })

  it('reports a stale read after an acknowledged write', () => {
    const register = createRegister()
    register.write('b', between(10, 20))
    register.read('a', between(21, 22))
    expect(register.findViolations()).toEqual([expect.stringContaining("write of 'b' was lost")])
  })

  it('reports a lost update that later reads never show', () => {
    const register = createRegister()
    register.write('b', between(10, 20))
    register.write('c', between(30, 40))
    register.read('a', between(25, 26))
    register.read('c', between(41, 42))
    expect(register.findViolations()).toHaveLength(1)
  })

  it('reports a value that returns after another one was read', () => {
    const register = createRegister()
    register.write('b', between(10, 50))
    register.write('c', between(10, 50))
    register.read('b', between(20, 21))
    register.read('c', between(22, 23))
    register.read('b', between(24, 25))
    expect(register.findViolations()).toHaveLength(1)
  })

  it('reports a read of a deleted record', () => {
    const register = createRegister()
    register.write(deleted, between(10, 20))
    register.read('a', between(21, 22))
    expect(register.findViolations()).toHaveLength(1)
  })

  it('reports values that were refused, never written, or read before their write', () => {
    const register = createRegister()
    register.refuse('refused')
    register.read('refused', between(5, 6))
    register.read('unknown', between(5, 6))
    register.read('late', between(5, 6))
    register.write('late', between(7, 8))
    expect(register.findViolations()).toEqual([
      expect.stringContaining('that was refused'),
      expect.stringContaining('that nobody wrote'),
      expect.stringContaining('before it was written'),
    ])
  })

  it('accepts both outcomes of a write without a response', () => {
    const lostWrite = createRegister()
    lostWrite.write('b', between(10, Infinity))
    lostWrite.read('a', between(30, 31))
    expect(lostWrite.findViolations()).toEqual([])
    const lateWrite = createRegister()
    lateWrite.write('b', between(10, Infinity))
    lateWrite.read('a', between(30, 31))
    lateWrite.read('b', between(40, 41))
    expect(lateWrite.findViolations()).toEqual([])
    lateWrite.read('a', between(42, 43))
    expect(lateWrite.findViolations()).toHaveLength(1)
  })
})
