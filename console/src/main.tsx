import './theme/tokens.css'
import './theme/global.css'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { createAppRouter } from './app/routes'
import { loadFeatureFlags } from './lib/client'

const place = document.getElementById('root')

// the settings are asked for while the first page's code is on its way
if (place) {
  const router = createAppRouter()
  void loadFeatureFlags().then(() => createRoot(place).render(<RouterProvider router={router} />))
}
