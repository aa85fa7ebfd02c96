import { describe, expect, it } from 'vitest'
import { recordingName, recordingPlace } from './recording'

const base = 'https://api.example.com/v1'
const path = '/Accounts/a/RecentCalls/c/record/2026/11/22/wav'

describe('where a recording is', () => {
  it.each([
    [path, path],
    [path.slice(1), path],
    [`${base}${path}?part=1`, `${path}?part=1`],
    // a whole address in disguise stays below the API
    ['//elsewhere.example.com/x', '//elsewhere.example.com/x'],
  ])('%s is the API’s', (url, expected) => {
    expect(recordingPlace(url, base)).toEqual({ path: expected })
  })

  it.each([
    'http://api.example.com/v1/x',
    'https://api.example.com/v1x/y',
    'https://api.example.com.evil.example/v1/x',
    'HTTPS://bucket.example.com/c.wav',
  ])('%s is somebody else’s', (url) => {
    expect(recordingPlace(url, base)).toEqual({ elsewhere: new URL(url) })
  })

  it('is nowhere when the address is none', () => {
    expect(recordingPlace('http://', base)).toBeUndefined()
  })
})

describe('the name of a recording', () => {
  const named = (yyyy: string, mm: string, dd: string) =>
    recordingName({ call_sid: 'c', yyyy, mm, dd, format: 'wav' })?.dd

  it.each([
    ['2026', '02', '31'],
    ['2026', '02', '29'],
    ['2026', '04', '31'],
    ['2026', '13', '22'],
    ['2026', '11', '00'],
    ['1900', '02', '29'],
  ])('is none on %s-%s-%s', (...day) => {
    expect(named(...day)).toBeUndefined()
  })

  it.each([
    ['2024', '02', '29'],
    ['2026', '12', '31'],
    ['2026', '01', '01'],
  ])('is one on %s-%s-%s', (...day) => {
    expect(named(...day)).toBe(day[2])
  })
})
