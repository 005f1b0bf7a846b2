export function Before() {
  return <p>fine</p>;
}

export function Broken() {
  return <div><span></div>;
}

export function After() {
  return <Before />;
}
