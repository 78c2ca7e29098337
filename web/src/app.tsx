export function App() {
  return <h1>Busyhour</h1>;
}
