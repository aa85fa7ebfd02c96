import { describe, expect, it } from 'vitest'
import { recordingPlace } from './recording'

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
